import type { ChunkDelta, FunctionToolCall } from '@tallyport/wire';
import { callPart, saidParts, signatureParts, withSealed } from './answer-parts.ts';
import type { GeminiAnswerPart } from './answer-types.ts';
import { createGrowingCalls } from './growing-calls.ts';

/** The parts of one candidate, in the order in which the model writes them. This API has calls whole. */
interface CandidateParts {
  add(delta: ChunkDelta): GeminiAnswerPart[];
  /** What was held back. */
  end(): GeminiAnswerPart[];
  /** The first call whose arguments are no JSON object: this API has no part for it. */
  malformed(): FunctionToolCall | undefined;
}

export function createCandidateParts(includeThoughts: boolean): CandidateParts {
  const calls = createGrowingCalls();
  const details: unknown[] = [];
  let malformed: FunctionToolCall | undefined;
  let hasCalled = false;

  function written(grown: readonly FunctionToolCall[]): GeminiAnswerPart[] {
    return grown.flatMap((call) => {
      const part = callPart(call);
      if (part === undefined) {
        malformed ??= call;
        return [];
      }
      const isFirst = !hasCalled;
      hasCalled = true;
      return [isFirst ? withSealed(part, details) : part];
    });
  }

  return {
    add(delta) {
      for (const detail of Array.isArray(delta.reasoning_details) ? delta.reasoning_details : []) details.push(detail);
      const said = saidParts(includeThoughts ? delta : { ...delta, reasoning_content: '' });
      // A call goes before what is said after it, if it is complete.
      const before = said.length === 0 ? [] : written(calls.takeComplete());
      for (const call of delta.tool_calls ?? []) calls.add(call);
      return [...before, ...said];
    },
    end: () => [...signatureParts(details), ...written(calls.takeAll())],
    malformed: () => malformed,
  };
}
