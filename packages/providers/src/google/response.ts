import type { ChatCompletion } from '@tallyport/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { fold } from '../fold/fold.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import { isMembers, items } from '../read.ts';
import { createGeminiAnswer } from './answer.ts';

/** A whole answer is read like a stream of one chunk. */
export function geminiCompletion(body: unknown, context: OneChoiceContext): ChatCompletion {
  const { providerId } = context;
  if (!isMembers(body)) throw unreadableAnswer(providerId, 'The answer is not a JSON object.');
  const answer = createGeminiAnswer(context);
  const chunks = answer.add(body);
  if (chunks.length === 0)
    throw unreadableAnswer(providerId, `The answer has ${items(body.candidates).length} candidates.`);
  return fold([...chunks, ...answer.end()]);
}
