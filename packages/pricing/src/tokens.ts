import type { Tokens } from '@switchyard/contracts';
import type { ImagesUsage, Usage } from '@switchyard/wire';

export interface CountedTokens {
  readonly tokens: Tokens;
  /** The reported counts were impossible: parts larger than their whole, negative or absurd numbers. */
  readonly adjusted: boolean;
}

/** More tokens than any request can have: a larger count is an error and is not billed. */
const mostTokens = 100_000_000;

/** OpenAI counts parts within their whole: what was cached within the prompt, thoughts within the answer. Here each stands alone. */
export function tokensOfChat(usage: Usage): CountedTokens {
  const { prompt_tokens_details: prompt = {}, completion_tokens_details: completion = {} } = usage;
  return split(
    { whole: usage.prompt_tokens, parts: [prompt.cached_tokens, prompt.cache_write_tokens, prompt.image_tokens] },
    { whole: usage.completion_tokens, parts: [completion.reasoning_tokens, completion.image_tokens] },
  );
}

export function tokensOfImages(usage: ImagesUsage): CountedTokens {
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  return split(
    { whole: usage.input_tokens, parts: [0, 0, input?.image_tokens] },
    { whole: usage.output_tokens, parts: [0, output?.image_tokens] },
  );
}

interface Whole {
  readonly whole: number;
  readonly parts: readonly (number | undefined)[];
}

function split(asked: Whole, answered: Whole): CountedTokens {
  const prompt = takeApart(asked);
  const completion = takeApart(answered);
  const [cacheRead = 0, cacheWrite = 0, imageIn = 0] = prompt.parts;
  const [reasoning = 0, imageOut = 0] = completion.parts;
  const tokens = { input: prompt.rest, cacheRead, cacheWrite, output: completion.rest, reasoning, imageIn, imageOut };
  return { tokens, adjusted: prompt.adjusted || completion.adjusted };
}

/** Each part at most what the earlier ones left of the whole. */
function takeApart({ whole, parts }: Whole): { parts: number[]; rest: number; adjusted: boolean } {
  let rest = bounded(whole, mostTokens);
  let adjusted = rest !== whole;
  const taken = parts.map((told = 0) => {
    const part = bounded(told, rest);
    adjusted ||= part !== told;
    rest -= part;
    return part;
  });
  return { parts: taken, rest, adjusted };
}

const bounded = (count: number, most: number): number =>
  Number.isNaN(count) ? 0 : Math.min(Math.max(0, Math.round(count)), most);
