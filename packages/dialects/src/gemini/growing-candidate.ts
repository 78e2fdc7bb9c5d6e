import type { Annotation, ChunkChoice, FinishReason } from '@tallyport/wire';
import { candidateEnd, candidateWith, withRefusal } from './answer.ts';
import { lastParts, saidParts } from './answer-parts.ts';
import type { GeminiCandidate } from './answer-types.ts';
import { createGrowingCalls } from './growing-calls.ts';
import { toLogprobsResult } from './logprobs.ts';

/** One candidate of a streamed answer. */
export interface GrowingCandidate {
  /** The candidate with what the piece says; `undefined` if it says nothing yet. */
  add(choice: ChunkChoice): GeminiCandidate | undefined;
  /** The candidate with what was held back, and how it ended. */
  end(): GeminiCandidate;
}

export function createGrowingCandidate(index: number, includeThoughts: boolean): GrowingCandidate {
  const calls = createGrowingCalls();
  const details: unknown[] = [];
  const annotations: Annotation[] = [];
  let reason: FinishReason | null = null;
  let refusal = '';
  let hasSpoken = false;

  function hold({ delta, finish_reason: ended }: ChunkChoice): void {
    reason = ended ?? reason;
    refusal += delta.refusal ?? '';
    for (const detail of Array.isArray(delta.reasoning_details) ? delta.reasoning_details : []) details.push(detail);
    for (const annotation of delta.annotations ?? []) annotations.push(annotation);
    for (const call of delta.tool_calls ?? []) calls.add(call);
  }

  return {
    add(choice) {
      hold(choice);
      const parts = saidParts(includeThoughts ? choice.delta : { ...choice.delta, reasoning_content: '' });
      const logprobs = toLogprobsResult(choice.logprobs);
      hasSpoken ||= parts.length > 0;
      if (parts.length === 0 && logprobs.logprobsResult === undefined) return undefined;
      return { ...candidateWith(index, parts), ...logprobs };
    },
    end() {
      const parts = lastParts({ reasoning_details: details, tool_calls: calls.whole() });
      const all = hasSpoken ? parts : withRefusal(parts, refusal);
      return { ...candidateWith(index, all), ...candidateEnd(reason, annotations) };
    },
  };
}
