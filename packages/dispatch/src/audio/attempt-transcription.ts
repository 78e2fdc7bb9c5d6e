import type { TranscriptEnding, TranscriptionCall, TranscriptionsFormat } from '@tallyport/providers';
import { readAll } from '@tallyport/outbound';
import { openRequest } from '../attempts/open-request.ts';
import { stopAfterTotal } from '../attempts/total-timer.ts';
import type { CallAttempt } from '../calls/open-calls.ts';
import { isEvents, openAudio } from './open-audio.ts';
import { type PassedBytes, PassedStream } from './passed-stream.ts';
import { wholeBytes } from './whole-bytes.ts';

type TranscriptionAttempt = CallAttempt<TranscriptionCall, TranscriptionsFormat>;

/** A streamed transcript commits with its first bytes, any other once it is complete and readable. */
export const attemptTranscription = (attempt: TranscriptionAttempt): Promise<PassedBytes<TranscriptEnding>> =>
  attempt.wanted.stream ? attemptStream(attempt) : attemptWhole(attempt);

async function attemptStream(attempt: TranscriptionAttempt): Promise<PassedBytes<TranscriptEnding>> {
  const { format, wanted, offer } = attempt;
  const opened = await openAudio(attempt, () => format.request(wanted, offer), isEvents);
  const stream = new PassedStream(attempt, opened, format.ending);
  await stream.commit();
  return stream;
}

async function attemptWhole(attempt: TranscriptionAttempt): Promise<PassedBytes<TranscriptEnding>> {
  const { format, wanted, offer, equipment } = attempt;
  const build = () => format.request(wanted, offer);
  const timer = stopAfterTotal(attempt);
  try {
    const { body: answer } = await openRequest(attempt, build, equipment.timeouts.plainFirstByteMs);
    const { body, ...ending } = format.response(await readAll(answer), wanted);
    return wholeBytes(body, ending);
  } finally {
    clearTimeout(timer);
  }
}
