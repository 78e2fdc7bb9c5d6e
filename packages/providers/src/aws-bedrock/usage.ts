import type { Usage } from '@tallyport/wire';
import { type Members, members } from '../read.ts';
import { hasNoCount, tokenCount } from '../token-counts.ts';

/** In OpenAI's way of counting: tokens read from or written to the cache are part of the prompt. */
export function bedrockUsage(body: Members): Usage | undefined {
  const raw = members(body.usage);
  const input = tokenCount(raw.inputTokens);
  const output = tokenCount(raw.outputTokens);
  if (input === undefined && output === undefined) return undefined;
  if (hasNoCount(raw.inputTokens, raw.outputTokens)) return undefined;
  const read = twin(raw, 'cacheReadInputToken');
  const written = twin(raw, 'cacheWriteInputToken');
  const prompt = (input ?? 0) + read + written;
  const details = {
    ...(read > 0 && { cached_tokens: read }),
    ...(written > 0 && { cache_write_tokens: written }),
  };
  return {
    prompt_tokens: prompt,
    completion_tokens: output ?? 0,
    total_tokens: tokenCount(raw.totalTokens) ?? prompt + (output ?? 0),
    ...(read + written > 0 && { prompt_tokens_details: details }),
  };
}

/** The cache counts have two names, and either may be missing. */
const twin = (raw: Members, stem: string): number =>
  tokenCount(raw[`${stem}s`]) ?? tokenCount(raw[`${stem}Count`]) ?? 0;
