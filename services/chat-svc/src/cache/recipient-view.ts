import { randomUUID } from 'node:crypto';
import type { RequestHead } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import { type ApiForm, metadataOf, offerOf, type ServedRequest, servedModel } from '@tallyport/serving';
import {
  type AnswerMetadata,
  type ChatChunk,
  type ChatCompletion,
  type ChatRequest,
  type ChunkEvent,
  chunkEvent,
  type Usage,
} from '@tallyport/wire';
import { reasoningViewFor } from '../answer/reasoning-view.ts';
import { usageViewFor } from '../answer/usage-view.ts';

/** A request answered with the answer of another request. */
export interface ChatRecipient {
  head: RequestHead;
  request: ChatRequest;
  /** The API of its answer. */
  form: ApiForm;
  plan: Plan;
  planMs: number;
  keepAliveMs: number;
}

/**
 * A shared answer as its recipient gets it: with a new id, because clients distinguish messages by it, marked as
 * cached, and at no cost. Everything else is unchanged.
 */
export interface RecipientView {
  readonly served: ServedRequest;
  completion(completion: ChatCompletion): ChatCompletion;
  /** `undefined` if the recipient does not get this chunk. */
  event(chunk: ChatChunk): ChunkEvent | undefined;
  /** The usage event, for a client that requested it. */
  usageEvent(usage: Usage | undefined): ChunkEvent | undefined;
}

export function viewFor(
  { head, request, plan }: Pick<ChatRecipient, 'head' | 'plan' | 'request'>,
  provider: string,
): RecipientView {
  const served = { head, plan, offer: offerOf(plan, provider) };
  const own = { id: `chatcmpl-${randomUUID().replaceAll('-', '')}`, model: servedModel(served) };
  const metadata = { ...metadataOf(served, []), cached: true };
  const usageView = usageViewFor(request, head);
  const reasoning = reasoningViewFor(request, head);
  let created = 0;
  return {
    served,
    completion: ({ usage, metadata: kept, ...completion }) => ({
      ...reasoning.completion(completion),
      ...own,
      ...(usage && { usage: unpaid(usage) }),
      metadata: { ...metadata, ...sizesIn(kept) },
    }),
    event({ usage: _usage, metadata: kept, ...reported }) {
      created = reported.created;
      const chunk = reasoning.chunk(reported);
      if (chunk === undefined) return undefined;
      if (chunk.choices.length === 0) return undefined;
      const isFinish = chunk.choices.some(({ finish_reason: reason }) => reason !== null);
      return chunkEvent({
        ...chunk,
        ...own,
        ...usageView.before,
        ...(isFinish && { metadata: { ...metadata, ...sizesIn(kept) } }),
      });
    },
    usageEvent(usage) {
      if (!usageView.isIncluded || usage === undefined) return undefined;
      const object = 'chat.completion.chunk' as const;
      return chunkEvent({ ...own, object, created, choices: [], usage: unpaid(usage) });
    },
  };
}

/** The sizes of the images, which are the same for every recipient. */
const sizesIn = (kept: AnswerMetadata | undefined): Pick<AnswerMetadata, 'images'> =>
  kept?.images === undefined ? {} : { images: kept.images };

const unpaid = (usage: Usage): Usage => ({ ...usage, cost: 0 });
