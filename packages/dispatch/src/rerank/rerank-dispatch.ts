import { rankingUsage } from '@tallyport/pricing';
import type { RerankAnswer, RerankCall } from '@tallyport/providers';
import type { Usage } from '@tallyport/wire';
import { answerCall } from '../calls/answer-document.ts';
import { createCallDispatch } from '../calls/call-dispatch.ts';
import type { CallDispatch, ServedCall } from '../calls/call-job.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';

/** An answer, and what the vendor says that it bills for it. */
interface BilledRanking extends RerankAnswer {
  readonly billed: Usage | undefined;
}

export type ServedRanking = ServedCall<BilledRanking>;

export const createRerankDispatch = (options: DispatchOptions): CallDispatch<RerankCall, BilledRanking> =>
  createCallDispatch(
    {
      formatOf: ({ rankings }) => rankings,
      async run(attempt) {
        const answer = await answerCall(attempt);
        return { ...answer, billed: rankingUsage(attempt.wanted, attempt.offer).reported(answer) };
      },
      reported: ({ billed }) => billed,
      estimate: (call, offer) => rankingUsage(call, offer).estimated,
    },
    options,
  );
