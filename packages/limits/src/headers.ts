import type { LimitVerdict } from './request-counter.ts';

/** The values of `RateLimit-*` and `x-ratelimit-*`: how many are left, and when the next one is freed. */
export type LimitStanding = Pick<LimitVerdict, 'limit' | 'remaining' | 'resetMs'>;

export function requestHeaders({ limit, remaining, resetMs }: LimitStanding): Record<string, string> {
  const most = String(limit);
  const left = String(remaining);
  return {
    'ratelimit-limit': most,
    'ratelimit-remaining': left,
    'ratelimit-reset': String(Math.ceil(resetMs / 1000)),
    'x-ratelimit-limit-requests': most,
    'x-ratelimit-remaining-requests': left,
    'x-ratelimit-reset-requests': duration(resetMs),
  };
}

export const tokenHeaders = ({ limit, remaining, resetMs }: LimitStanding): Record<string, string> => ({
  'x-ratelimit-limit-tokens': String(limit),
  'x-ratelimit-remaining-tokens': String(remaining),
  'x-ratelimit-reset-tokens': duration(resetMs),
});

/** A duration in OpenAI's format: `350ms`, `12.5s`. */
const duration = (ms: number): string =>
  ms < 1000 ? `${Math.ceil(ms)}ms` : `${(Math.ceil(ms / 100) / 10).toString()}s`;
