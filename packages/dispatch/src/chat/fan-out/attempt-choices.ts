import { UpstreamFailure } from '@tallyport/outbound';
import { type Attempt, withOwnImages } from '../attempt.ts';
import { attemptPlain } from '../attempt-plain.ts';
import { attemptStream } from '../attempt-stream.ts';
import { stopAttempt } from '../../attempts/open-request.ts';
import type { PlainAnswer } from '../plain-answer.ts';
import { type PartialCall, partialCalls } from './calls.ts';
import { type AnswerStream, FannedStream } from './fanned-stream.ts';
import { mergedAnswer } from './merge.ts';

/** Runs `attemptPlain` as often as the provider needs to make all choices. One failed call fails the attempt. */
export const attemptPlainChoices = (attempt: Attempt): Promise<PlainAnswer> =>
  fitsOneCall(attempt) ? attemptPlain(attempt) : attemptPlainParts(attempt);

async function attemptPlainParts(attempt: Attempt): Promise<PlainAnswer> {
  const [first, ...others] = await inParallel(attempt, (part) => attemptPlain(part));
  if (first === undefined) throw new Error('A request takes at least one call.');
  return mergedAnswer([first, ...others]);
}

/** The same for `attemptStream`: commits once every call has sent content. */
export async function attemptStreamChoices(attempt: Attempt): Promise<AnswerStream> {
  if (fitsOneCall(attempt)) return attemptStream(attempt);
  const committed: AnswerStream[] = [];
  try {
    const parts = await inParallel(attempt, async (part, { offset }) => {
      const stream = await attemptStream(part);
      committed.push(stream);
      return { stream, offset };
    });
    return new FannedStream(parts);
  } catch (thrown) {
    for (const stream of committed) stream.cancel(otherFailed());
    throw thrown;
  }
}

const fitsOneCall = (attempt: Attempt): boolean => {
  const wanted = attempt.chat.request.n ?? 1;
  return wanted === 1 || attempt.native !== undefined || wanted <= mostChoices(attempt);
};

const mostChoices = ({ chat, offer, provider }: Attempt): number =>
  provider.hasOneChoice?.(chat, offer) === true ? 1 : provider.maxChoices;

const otherFailed = (): UpstreamFailure => new UpstreamFailure('left', 'failed in another choice');

/** Makes the calls of one attempt in parallel. Stopping the attempt, or one failed call, stops all of them. */
async function inParallel<Value>(
  attempt: Attempt,
  tryOne: (part: Attempt, call: PartialCall) => Promise<Value>,
): Promise<Value[]> {
  await withOwnImages(attempt);
  const calls = partialCalls(attempt.chat, mostChoices(attempt));
  const parts = calls.map((call) => ({ call, part: partOf(attempt, call) }));
  const stopAll = (failure: UpstreamFailure) => {
    for (const { part } of parts) stopAttempt(part, failure);
  };
  attempt.call = { abort: stopAll, discardRest: () => {} };
  try {
    return await Promise.all(
      parts.map(({ call, part }) => tryOne(part, call).finally(() => (attempt.status ??= part.status))),
    );
  } catch (thrown) {
    stopAll(otherFailed());
    throw thrown;
  }
}

const partOf = (attempt: Attempt, { chat }: PartialCall): Attempt => ({
  ...attempt,
  chat,
  context: { ...attempt.context, call: chat },
  call: undefined,
  detour: undefined,
});
