import { type Offer, oncePer } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { requestedThinking } from '../conversation/requested-thinking.ts';
import type { ChatCall } from '../spec/provider.ts';

/**
 * Whether a chat is asked for in the Responses API: of a model that has no other, or with tools for a model that reasons.
 * From gpt-5.4 on both are combined nowhere else, and only there the reasoning that led to calls is kept.
 */
export function asksResponses({ request }: ChatCall, offer: Offer): boolean {
  if (!offer.reasoning) return false;
  return offersTools(request) ? reasons(request, offer) && !hasStops(request) : isOnlyThere(offer);
}

export const offersTools = ({ tools, functions }: ChatRequest): boolean =>
  (tools?.length ?? 0) > 0 || (functions?.length ?? 0) > 0;

/** Whether the model will reason. Only effort `none` prevents it, and not every model supports that effort. */
export const reasons = (request: ChatRequest, offer: Offer): boolean =>
  offer.reasoning && !(requestedThinking(request)?.effort === 'none' && stopsReasoning(offer));

export const stopsReasoning = ({ reasoningEfforts }: Offer): boolean => reasoningEfforts?.includes('none') ?? true;

/** The API has no stop texts, which the chats of o1 have. */
const hasStops = ({ stop }: ChatRequest): boolean => (stop?.length ?? 0) > 0;

const isOnlyThere = oncePer(({ modelName }: Offer) => /cyber|daybreak|rosalind|-law$/.test(modelName));
