import { unreadableAnswer } from '../faults/broken-answer.ts';

/** The vectors of an answer, by place. Throws a fault of the provider unless there is exactly one for each input. */
export function vectorsIn(entries: readonly unknown[], inputs: number, providerId: string): (string | number)[] {
  const vectors = entries.filter((entry) => typeof entry === 'string' || typeof entry === 'number');
  if (vectors.length === inputs && entries.length === inputs) return vectors;
  throw unreadableAnswer(providerId, `${vectors.length} vectors for ${inputs} inputs`);
}
