import type { Usage } from '@tallyport/wire';
import { type Members, members } from '../../read.ts';
import { hasNoCount, tokenCount } from '../../token-counts.ts';

/** The usage of a response in a chat's counts, which are the same; `undefined` if it has none. */
export function usageOfResponse({ usage }: Members): Usage | undefined {
  const { input_tokens: input, output_tokens: output, total_tokens: total, ...details } = members(usage);
  if ((tokenCount(input) ?? tokenCount(output)) === undefined || hasNoCount(input, output)) return undefined;
  const prompt = tokenCount(input) ?? 0;
  const completion = tokenCount(output) ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: tokenCount(total) ?? prompt + completion,
    ...countsIn('prompt_tokens_details', details.input_tokens_details, ['cached_tokens', 'cache_write_tokens']),
    ...countsIn('completion_tokens_details', details.output_tokens_details, ['reasoning_tokens']),
  };
}

/** Those of the counts that the vendor reports. */
function countsIn(name: string, details: unknown, names: readonly string[]): object {
  const counts = names.flatMap((each) => {
    const tokens = tokenCount(members(details)[each]);
    return tokens === undefined ? [] : [[each, tokens]];
  });
  return counts.length === 0 ? {} : { [name]: Object.fromEntries(counts) };
}
