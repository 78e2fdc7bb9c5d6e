import { estimateInputs, promptUsage } from '@tallyport/pricing';
import { type ModerationCall, type ModerationsAnswer, moderationTexts } from '@tallyport/providers';
import { createCallDispatch, reportedPrompt } from '../calls/call-dispatch.ts';
import type { CallDispatch, ServedCall } from '../calls/call-job.ts';
import { answerCall } from '../calls/answer-document.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';

type ModerationDispatch = CallDispatch<ModerationCall, ModerationsAnswer>;
export type ServedModerations = ServedCall<ModerationsAnswer>;

export const createModerationDispatch = (options: DispatchOptions): ModerationDispatch =>
  createCallDispatch(
    {
      formatOf: ({ moderations }) => moderations,
      run: answerCall,
      reported: ({ promptTokens }) => reportedPrompt(promptTokens),
      estimate: (call) => promptUsage(estimateInputs(moderationTexts(call))),
    },
    options,
  );
