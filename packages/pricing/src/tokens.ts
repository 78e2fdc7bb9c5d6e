import type { Tokens } from '@tallyport/contracts';
import type { ImagesUsage, Usage } from '@tallyport/wire';

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
  const { prompt_tokens_details: asked, completion_tokens_details: answered } = usage;
  const prompt = wholeOf(usage.prompt_tokens);
  const cacheRead = takePart(prompt, asked?.cached_tokens);
  const cacheWrite = takePart(prompt, asked?.cache_write_tokens);
  const imageIn = takePart(prompt, asked?.image_tokens);
  const completion = wholeOf(usage.completion_tokens);
  const reasoning = takePart(completion, answered?.reasoning_tokens);
  const imageOut = takePart(completion, answered?.image_tokens);
  return counted(prompt, completion, { cacheRead, cacheWrite, imageIn, reasoning, imageOut });
}

export function tokensOfImages(usage: ImagesUsage): CountedTokens {
  const prompt = wholeOf(usage.input_tokens);
  const imageIn = takePart(prompt, usage.input_tokens_details?.image_tokens);
  const completion = wholeOf(usage.output_tokens);
  const imageOut = takePart(completion, usage.output_tokens_details?.image_tokens);
  return counted(prompt, completion, { cacheRead: 0, cacheWrite: 0, imageIn, reasoning: 0, imageOut });
}

/** A count, of which parts are taken. */
interface Whole {
  rest: number;
  adjusted: boolean;
}

function wholeOf(count: number): Whole {
  const rest = bounded(count, mostTokens);
  return { rest, adjusted: rest !== count };
}

/** A part is at most what the earlier parts left of the whole. */
function takePart(whole: Whole, reported = 0): number {
  const part = bounded(reported, whole.rest);
  if (part !== reported) whole.adjusted = true;
  whole.rest -= part;
  return part;
}

type Parts = Pick<Tokens, 'cacheRead' | 'cacheWrite' | 'imageIn' | 'reasoning' | 'imageOut'>;

const counted = (
  prompt: Whole,
  completion: Whole,
  { cacheRead, cacheWrite, imageIn, reasoning, imageOut }: Parts,
): CountedTokens => ({
  tokens: {
    input: prompt.rest,
    cacheRead,
    cacheWrite,
    output: completion.rest,
    reasoning,
    imageIn,
    imageOut,
    audioIn: 0,
    audioOut: 0,
  },
  adjusted: prompt.adjusted || completion.adjusted,
});

const bounded = (count: number, most: number): number =>
  Number.isNaN(count) ? 0 : Math.min(Math.max(0, Math.round(count)), most);
