import { estimateInputs } from '@tallyport/pricing';
import { type DecisionCall, decisionImages, type DecisionsAnswer, decisionTexts } from '@tallyport/providers';
import { answerDocument } from '../calls/answer-document.ts';
import { createCallDispatch, promptUsage } from '../calls/call-dispatch.ts';
import type { CallDispatch, ServedCall } from '../calls/call-job.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';

export type ServedDecisions = ServedCall<DecisionsAnswer>;

/** No vendor bills what a decision writes. */
export const createDecisionDispatch = (options: DispatchOptions): CallDispatch<DecisionCall, DecisionsAnswer> =>
  createCallDispatch(
    {
      formatOf: ({ decisions }) => decisions,
      async run(attempt) {
        const { format, wanted, offer } = attempt;
        return format.response(await answerDocument(attempt, () => format.request(wanted, offer)), wanted);
      },
      reported: ({ promptTokens }) => (promptTokens === undefined ? undefined : promptUsage(promptTokens)),
      estimate: (call) => promptUsage(estimateInputs(decisionTexts(call), decisionImages(call))),
    },
    options,
  );
