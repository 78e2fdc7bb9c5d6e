import { estimateInputs } from '@tallyport/pricing';
import { type ModerationCall, type ModerationsAnswer, moderationTexts } from '@tallyport/providers';
import { createCallDispatch, promptUsage } from '../calls/call-dispatch.ts';
import type { CallDispatch, ServedCall } from '../calls/call-job.ts';
import { answerDocument } from '../calls/answer-document.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';

type ModerationDispatch = CallDispatch<ModerationCall, ModerationsAnswer>;
export type ServedModerations = ServedCall<ModerationsAnswer>;

export const createModerationDispatch = (options: DispatchOptions): ModerationDispatch =>
  createCallDispatch(
    {
      formatOf: ({ moderations }) => moderations,
      async run(attempt) {
        const { format, wanted, offer } = attempt;
        return format.response(await answerDocument(attempt, () => format.request(wanted, offer)), wanted);
      },
      reported: ({ promptTokens }) => (promptTokens === undefined ? undefined : promptUsage(promptTokens)),
      estimate: (call) => promptUsage(estimateInputs(moderationTexts(call))),
    },
    options,
  );
