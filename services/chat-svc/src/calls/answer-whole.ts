import type { CallDispatch, ChatOutcome, ServedCall } from '@tallyport/dispatch';
import { chatSettlement } from '@tallyport/serving/metering';
import type { RequestEvents, ServedRequest } from '@tallyport/serving';
import type { AnswerDocument } from '@tallyport/wire';
import type { CallEndpoint } from './call-endpoint.ts';

interface WholeCall<Call, Answer> {
  dispatch: CallDispatch<Call, Answer>;
  events: RequestEvents<ChatOutcome>;
  render(served: ServedRequest, answered: ServedCall<Answer>, call: Call): Promise<AnswerDocument> | AnswerDocument;
}

/** The attempt of a call that is answered with one JSON document. */
export const answerWhole = <Call, Answer>({
  dispatch,
  events,
  render,
}: WholeCall<Call, Answer>): Pick<CallEndpoint<Call>, 'attempt' | 'close' | 'events'> => ({
  events,
  close: dispatch.close,
  async attempt({ head, plan, call }, life) {
    const ended = events.begin({ head, plan, stream: false });
    const answered = await dispatch.serve({
      call,
      plan,
      signal: life.signal,
      detour: life.detour,
      onOutcome(outcome) {
        life.settle(chatSettlement(outcome));
        ended(outcome);
      },
    });
    const { offer, routing } = answered;
    const document = await render({ head, plan, offer, others: life.others }, answered, call);
    return { offer, attempts: routing.length, content: { kind: 'whole', document, complete: true } };
  },
});
