import { noTokens, type Tokens } from '@switchyard/contracts';
import type { ImagesUsage, Usage } from '@switchyard/wire';

export interface CountedTokens {
  readonly tokens: Tokens;
  /** The reported counts were impossible: parts larger than their whole, negative or absurd numbers. */
  readonly adjusted: boolean;
}

/** More tokens than any request can have. A larger count is an error and is not billed. */
const mostTokens = 100_000_000;

/**
 * OpenAI includes parts in their whole: cached tokens in the prompt, thinking in the answer. Here the classes are
 * disjoint.
 */
export function tokensOfChat(usage: Usage): CountedTokens {
  const { prompt_tokens_details: prompt = {}, completion_tokens_details: completion = {} } = usage;
  return split(
    splitParts(usage.prompt_tokens, [prompt.cached_tokens, prompt.cache_write_tokens, prompt.image_tokens]),
    splitParts(usage.completion_tokens, [completion.reasoning_tokens, completion.image_tokens]),
  );
}

export function tokensOfImages(usage: ImagesUsage): CountedTokens {
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  return split(
    splitParts(usage.input_tokens, [0, 0, input?.image_tokens]),
    splitParts(usage.output_tokens, [0, output?.image_tokens]),
  );
}

interface SplitCount {
  parts: number[];
  rest: number;
  adjusted: boolean;
}

function split(prompt: SplitCount, completion: SplitCount): CountedTokens {
  const [cacheRead = 0, cacheWrite = 0, imageIn = 0] = prompt.parts;
  const [reasoning = 0, imageOut = 0] = completion.parts;
  const tokens = {
    ...noTokens,
    input: prompt.rest,
    cacheRead,
    cacheWrite,
    output: completion.rest,
    reasoning,
    imageIn,
    imageOut,
  };
  return { tokens, adjusted: prompt.adjusted || completion.adjusted };
}

/** Limits each part to what the earlier parts leave of the whole. */
function splitParts(whole: number, parts: readonly (number | undefined)[]): SplitCount {
  let rest = bounded(whole, mostTokens);
  let adjusted = rest !== whole;
  const boundedParts = parts.map((reported = 0) => {
    const part = bounded(reported, rest);
    adjusted ||= part !== reported;
    rest -= part;
    return part;
  });
  return { parts: boundedParts, rest, adjusted };
}

const bounded = (count: number, most: number): number =>
  Number.isNaN(count) ? 0 : Math.min(Math.max(0, Math.round(count)), most);
