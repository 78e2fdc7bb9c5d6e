import { readAllPieces } from '@tallyport/outbound';
import { stopAfterTotal } from '../attempts/total-timer.ts';
import { type Attempt, openResponse } from './attempt.ts';
import { type PlainAnswer, readPlainAnswer } from './plain-answer.ts';

/** Commits once the whole answer has arrived and been translated, so a failure can always be retried elsewhere. */
export async function attemptPlain(attempt: Attempt): Promise<PlainAnswer> {
  const timer = stopAfterTotal(attempt);
  try {
    const { body } = await openResponse(attempt);
    return readPlainAnswer(attempt, await readAllPieces(body, attempt.holdAnswer));
  } finally {
    clearTimeout(timer);
  }
}
