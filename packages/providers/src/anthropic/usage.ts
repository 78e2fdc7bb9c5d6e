import type { Usage } from '@switchyard/wire';
import { type Members, members } from '../read.ts';
import { tokenCount } from '../token-counts.ts';

/** The vendor counts what it read from its cache and wrote to it apart from the rest of the prompt. */
export function anthropicUsage(raw: Members): Usage | undefined {
  const input = tokenCount(raw.input_tokens);
  const output = tokenCount(raw.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const read = tokenCount(raw.cache_read_input_tokens);
  const written = tokenCount(raw.cache_creation_input_tokens);
  const thought = tokenCount(members(raw.output_tokens_details).thinking_tokens);
  const prompt = (input ?? 0) + (read ?? 0) + (written ?? 0);
  const completion = output ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...((read ?? written) !== undefined && {
      prompt_tokens_details: {
        ...(read !== undefined && { cached_tokens: read }),
        ...(written !== undefined && { cache_write_tokens: written }),
      },
    }),
    ...(thought !== undefined && { completion_tokens_details: { reasoning_tokens: thought } }),
  };
}

/** In a stream the later word counts, member by member; a null takes nothing back. */
export const laterUsage = (earlier: Members, later: Members): Members => ({
  ...earlier,
  ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null)),
});
