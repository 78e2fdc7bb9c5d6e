import type { Model, Offer } from '@tallyport/contracts';
import type { ChatCall } from '@tallyport/providers';

type OutputLimit = Pick<Model, 'maxOutput'>;

/** The most tokens that the model writes at this offer; `undefined` if that is not known. */
export const mostOutput = ({ maxOutput: ofModel }: OutputLimit, { maxOutput }: OutputLimit): number | undefined =>
  maxOutput ?? ofModel;

/**
 * Lowers the token limit of a call to what the offer accepts. Clients send a limit as a ceiling, often the same for
 * every model, and vendors refuse a limit above what their model can write.
 */
export function withinOutput(call: ChatCall, model: OutputLimit, offer: Offer): ChatCall {
  const most = mostOutput(model, offer);
  const { max_tokens: old, max_completion_tokens: current } = call.request;
  if (most === undefined || Math.max(current ?? 0, old ?? 0) <= most) return call;
  const request = { ...call.request };
  if (typeof old === 'number') request.max_tokens = Math.min(old, most);
  if (typeof current === 'number') request.max_completion_tokens = Math.min(current, most);
  return { ...call, request };
}
