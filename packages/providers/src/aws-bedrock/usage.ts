import type { Usage } from '@tallyport/wire';
import { hourWrites } from '../hour-writes.ts';
import { items, type Members, members } from '../read.ts';
import { tierOfUsage } from '../service-tier.ts';
import { hasNoCount, tokenCount } from '../token-counts.ts';
import { type KnownMembers, unknownCounts } from '../unknown-counts.ts';

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
  const unknown = unknownCounts(raw, known);
  return {
    prompt_tokens: prompt,
    completion_tokens: output ?? 0,
    total_tokens: tokenCount(raw.totalTokens) ?? prompt + (output ?? 0),
    ...(read + written > 0 && { prompt_tokens_details: cacheDetails(raw, read, written) }),
    ...tierOfUsage(members(body.serviceTier).type),
    ...(unknown !== undefined && { unknown_classes: unknown }),
  };
}

function cacheDetails(raw: Members, read: number, written: number): NonNullable<Usage['prompt_tokens_details']> {
  const hour = Math.min(writtenFor('1h', raw.cacheDetails), written);
  return {
    ...(read > 0 && { cached_tokens: read }),
    ...(written > 0 && { cache_write_tokens: written }),
    ...hourWrites(written, hour),
  };
}

const known: KnownMembers = {
  inputTokens: true,
  outputTokens: true,
  totalTokens: true,
  cacheReadInputTokens: true,
  cacheReadInputTokenCount: true,
  cacheWriteInputTokens: true,
  cacheWriteInputTokenCount: true,
  cacheDetails: true,
};

const writtenFor = (lifetime: string, details: unknown): number =>
  items(details)
    .map(members)
    .reduce((sum, { ttl, inputTokens }) => (ttl === lifetime ? sum + (tokenCount(inputTokens) ?? 0) : sum), 0);

/** The cache counts have two names, and either may be missing. */
const twin = (raw: Members, stem: string): number =>
  tokenCount(raw[`${stem}s`]) ?? tokenCount(raw[`${stem}Count`]) ?? 0;
