import { estimateInputs, promptUsage } from '@tallyport/pricing';
import { type DecisionCall, decisionImages, type DecisionsAnswer, decisionTexts } from '@tallyport/providers';
import { answerCall } from '../calls/answer-document.ts';
import { createCallDispatch, reportedPrompt } from '../calls/call-dispatch.ts';
import type { CallDispatch, ServedCall } from '../calls/call-job.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';

export type ServedDecisions = ServedCall<DecisionsAnswer>;

/** No vendor bills what a decision writes. */
export const createDecisionDispatch = (options: DispatchOptions): CallDispatch<DecisionCall, DecisionsAnswer> =>
  createCallDispatch(
    {
      formatOf: ({ decisions }) => decisions,
      run: answerCall,
      reported: ({ promptTokens }) => reportedPrompt(promptTokens),
      estimate: (call) => promptUsage(estimateInputs(decisionTexts(call), decisionImages(call))),
    },
    options,
  );
