import type { Annotation, ChunkChoice, FinishReason } from '@tallyport/wire';
import { candidateEnd, candidateWith, withRefusal } from './answer.ts';
import type { GeminiCandidate } from './answer-types.ts';
import { createCandidateParts } from './candidate-parts.ts';
import { toLogprobsResult } from './logprobs.ts';

/** One candidate of a streamed answer. */
export interface GrowingCandidate {
  /** The candidate with what the piece says; `undefined` if it says nothing yet. */
  add(choice: ChunkChoice): GeminiCandidate | undefined;
  /** The candidate with what was held back, and how it ended. */
  end(): GeminiCandidate;
}

export function createGrowingCandidate(index: number, includeThoughts: boolean): GrowingCandidate {
  const writer = createCandidateParts(includeThoughts);
  const annotations: Annotation[] = [];
  let reason: FinishReason | null = null;
  let refusal = '';
  let hasSpoken = false;

  function hold({ delta, finish_reason: ended }: ChunkChoice): void {
    reason = ended ?? reason;
    refusal += delta.refusal ?? '';
    for (const annotation of delta.annotations ?? []) annotations.push(annotation);
  }

  return {
    add(choice) {
      hold(choice);
      const parts = writer.add(choice.delta);
      const logprobs = toLogprobsResult(choice.logprobs);
      hasSpoken ||= parts.length > 0;
      if (parts.length === 0 && logprobs.logprobsResult === undefined) return undefined;
      return { ...candidateWith(index, parts), ...logprobs };
    },
    end() {
      const parts = writer.end();
      const all = hasSpoken ? parts : withRefusal(parts, refusal);
      const outcome = { reason, annotations, malformed: writer.malformed() };
      return { ...candidateWith(index, all), ...candidateEnd(outcome) };
    },
  };
}
