import type { RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import type { CacheTerms } from '@switchyard/serving';
import type { ChatRequest } from '@switchyard/wire';
import { onlyPaints } from '../images/only-paints.ts';
import { countedMembers } from './counted-members.ts';
import { answerFrom, answerFromStream } from './from-entry.ts';

export interface CacheableChat {
  head: RequestHead;
  request: ChatRequest;
  plan: Plan;
  /** Length of the body as received. */
  bodyBytes: number;
  planMs: number;
}

/** Hashing a larger request costs more than a hit is likely to save. */
export const mostRequestBytes = 1024 * 1024;

/** How the answer cache treats a chat. */
export function chatCacheTerms(
  { head, request, plan, bodyBytes, planMs }: CacheableChat,
  keepAliveMs: number,
): CacheTerms {
  const recipient = { head, request, plan, planMs };
  const stream = request.stream === true;
  return {
    mode: stream ? 'stream' : 'plain',
    // With `store` the vendor is to file this very answer.
    uncacheable: request.store === true || bodyBytes > mostRequestBytes,
    counted: () => countedMembers(request),
    from: (entry) => answerFrom(entry, recipient),
    // Images come whole, streamed or not.
    ...(stream &&
      !onlyPaints(plan.model) && {
        follow: (subscription) => answerFromStream(recipient, { ...subscription, keepAliveMs }),
      }),
  };
}
