import type { Usage } from '@switchyard/wire';
import { type Members, members } from '../read.ts';
import { tokenCount } from '../token-counts.ts';

/** In OpenAI's way of counting: what was read from or written to the cache is part of the prompt. */
export function bedrockUsage(body: Members): Usage | undefined {
  const told = members(body.usage);
  const input = tokenCount(told.inputTokens);
  const output = tokenCount(told.outputTokens);
  if (input === undefined && output === undefined) return undefined;
  const read = twin(told, 'cacheReadInputToken');
  const written = twin(told, 'cacheWriteInputToken');
  const prompt = (input ?? 0) + read + written;
  const details = {
    ...(read > 0 && { cached_tokens: read }),
    ...(written > 0 && { cache_write_tokens: written }),
  };
  return {
    prompt_tokens: prompt,
    completion_tokens: output ?? 0,
    total_tokens: tokenCount(told.totalTokens) ?? prompt + (output ?? 0),
    ...(read + written > 0 && { prompt_tokens_details: details }),
  };
}

/** Counts of the cache have two names, and either may be missing. */
const twin = (told: Members, stem: string): number =>
  tokenCount(told[`${stem}s`]) ?? tokenCount(told[`${stem}Count`]) ?? 0;
