import { namesOf } from '@tallyport/contracts';
import type { CacheWriteTokens } from '@tallyport/wire';
import { isMembers, type Members } from '../read.ts';
import { tokenCount } from '../token-counts.ts';

export const writeLifetimes = {
  ttl_5m_tokens: true,
  ttl_30m_tokens: true,
  ttl_1h_tokens: true,
  ttl_12h_tokens: true,
} as const satisfies Record<keyof CacheWriteTokens, true>;

const names = namesOf(writeLifetimes);

/** The lifetimes of what was written to the cache, in the details of a prompt; `undefined` if nothing was written. */
export function lifetimesOf({ cache_write_tokens_details: raw }: Members): CacheWriteTokens | undefined {
  if (!isMembers(raw)) return undefined;
  let lifetimes: CacheWriteTokens | undefined;
  for (const name of names) {
    const tokens = tokenCount(raw[name]);
    if (tokens !== undefined && tokens > 0) (lifetimes ??= {})[name] = tokens;
  }
  return lifetimes;
}
