import type { RequestHead } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import { type ApiForm, type CacheTerms, openAiAnswerForm } from '@tallyport/serving';
import type { ChatRequest, NativeRequest } from '@tallyport/wire';
import { isNative } from '../planning.ts';
import { isImageOnly } from '../images/is-image-only.ts';
import { countedMembers } from './counted-members.ts';
import { answerFrom, answerFromStream } from './from-entry.ts';

interface CacheableChat {
  head: RequestHead;
  request: ChatRequest;
  native?: NativeRequest | undefined;
  form?: ApiForm | undefined;
  plan: Plan;
  /** The length of the body as received. */
  bodyBytes: number;
  planMs: number;
}

/** Hashing a larger request costs more than a hit is likely to save. */
export const mostRequestBytes = 1024 * 1024;

/** How the answer cache treats a chat. */
export function chatCacheTerms(
  { head, request, native, form = openAiAnswerForm, plan, bodyBytes, planMs }: CacheableChat,
  keepAliveMs: number,
): CacheTerms {
  const recipient = { head, request, form, plan, planMs, keepAliveMs };
  const stream = request.stream === true;
  return {
    mode: stream ? 'stream' : 'plain',
    uncacheable:
      // The vendor must file this very answer.
      request.store === true ||
      bodyBytes > mostRequestBytes ||
      // A chat request does not have every member that affects an answer in another API.
      plan.candidates.some(({ offer }) => isNative(native, offer)),
    counted: () => countedMembers(request),
    from: (entry) => answerFrom(entry, recipient),
    // Images arrive whole, streamed or not.
    ...(stream &&
      !isImageOnly(plan.model) && {
        follow: (subscription) => answerFromStream(recipient, subscription),
      }),
  };
}
