import type { ErrorForm } from '@tallyport/contracts';
import { estimatePrompt } from '@tallyport/pricing';
import type { ApiForm } from '@tallyport/serving';
import { type ChatCompletion, joinPieces } from '@tallyport/wire';
import type { AnsweredLane } from './events.ts';
import { dialectStream } from './dialect-stream.ts';
import { type ClientWords, clientRefusal } from './own-words.ts';
import type { SpokenCall } from './spoken-dialect.ts';

interface DialectAnswer extends ClientWords {
  call: SpokenCall;
  errors: ErrorForm;
  requestId: string;
  /** Called once per answer, when it is made. */
  answered(lane: AnsweredLane): void;
}

/** The form of another API: chats are translated, and what a vendor of this API wrote is passed on. */
export const dialectForm = ({ call, errors, requestId, answered, ...words }: DialectAnswer): ApiForm => ({
  async whole(document) {
    answered(document.isPassed ? 'native' : 'translated');
    if (!document.isPassed) return [jsonOf(await call.answer(document.value() as ChatCompletion))];
    const slices = document.slices();
    return call.passed === undefined ? slices : [await call.passed.whole(joinPieces(slices))];
  },
  stream: () =>
    dialectStream(
      call.stream(() => estimatePrompt(call.chat)),
      { ...call, answered },
    ),
  refusal: clientRefusal(errors, words, requestId),
});

const jsonOf = (answer: unknown): Buffer => Buffer.from(JSON.stringify(answer));
