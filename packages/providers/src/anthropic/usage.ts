import type { Usage } from '@tallyport/wire';
import { type Members, members } from '../read.ts';
import { hasNoCount, tokenCount } from '../token-counts.ts';

/** The vendor counts tokens read from and written to its cache separately from the rest of the prompt. */
export function anthropicUsage(raw: Members): Usage | undefined {
  const input = tokenCount(raw.input_tokens);
  const output = tokenCount(raw.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  if (hasNoCount(raw.input_tokens, raw.output_tokens)) return undefined;
  const read = tokenCount(raw.cache_read_input_tokens);
  const written = tokenCount(raw.cache_creation_input_tokens);
  const thought = tokenCount(members(raw.output_tokens_details).thinking_tokens);
  const prompt = (input ?? 0) + (read ?? 0) + (written ?? 0);
  const completion = output ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...cacheDetails(read, written),
    ...(thought !== undefined && { completion_tokens_details: { reasoning_tokens: thought } }),
  };
}

const cacheDetails = (read: number | undefined, written: number | undefined) =>
  (read ?? written) === undefined
    ? {}
    : {
        prompt_tokens_details: {
          ...(read !== undefined && { cached_tokens: read }),
          ...(written !== undefined && { cache_write_tokens: written }),
        },
      };

/** In a stream the latest value of each member counts; a null does not replace an earlier value. */
export const laterUsage = (earlier: Members, later: Members): Members => ({
  ...earlier,
  ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null)),
});
