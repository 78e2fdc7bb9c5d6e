import { type Attempt, openResponse } from './attempt.ts';
import { stopAttempt } from '../attempts/open-request.ts';
import { type PlainAnswer, readPlainAnswer } from './plain-answer.ts';
import { UpstreamFailure } from '../failure/upstream-failure.ts';
import { readAllPieces } from '../upstream/read-all.ts';

/** The whole answer or nothing: it commits when it is complete and understood. */
export async function attemptPlain(attempt: Attempt): Promise<PlainAnswer> {
  const { totalPlainMs } = attempt.equipment.timeouts;
  const timer = setTimeout(() => {
    stopAttempt(attempt, new UpstreamFailure('max_duration', `took longer than ${totalPlainMs} ms`));
  }, totalPlainMs);
  try {
    const { body } = await openResponse(attempt);
    return readPlainAnswer(attempt, await readAllPieces(body));
  } finally {
    clearTimeout(timer);
  }
}
