import { readAllPieces } from '@switchyard/outbound';
import { withinTotal } from '../attempts/within-total.ts';
import { type Attempt, openResponse } from './attempt.ts';
import { type PlainAnswer, readPlainAnswer } from './plain-answer.ts';

/** Commits once the whole answer has arrived and been translated, so a failure can always be retried elsewhere. */
export const attemptPlain = (attempt: Attempt): Promise<PlainAnswer> =>
  withinTotal(attempt, async () => {
    const { body } = await openResponse(attempt);
    return readPlainAnswer(attempt, await readAllPieces(body));
  });
