import type { LimitVerdict } from './request-counter.ts';

/** The values of the headers about a limit: how many are left, and when the next one is freed. */
type LimitStanding = Pick<LimitVerdict, 'limit' | 'remaining' | 'resetMs'>;

/**
 * The headers about requests per minute: those of draft-ietf-httpapi-ratelimit-headers in its first form (three headers)
 * and since its version 8 (`RateLimit` and `RateLimit-Policy`), and OpenAI's.
 */
export function requestHeaders({ limit, remaining, resetMs }: LimitStanding): Record<string, string> {
  const most = String(limit);
  const left = String(remaining);
  const seconds = String(Math.ceil(resetMs / 1000));
  return {
    'ratelimit-limit': most,
    'ratelimit-remaining': left,
    'ratelimit-reset': seconds,
    'ratelimit-policy': `"requests";q=${most};w=60`,
    ratelimit: `"requests";r=${left};t=${seconds}`,
    'x-ratelimit-limit-requests': most,
    'x-ratelimit-remaining-requests': left,
    'x-ratelimit-reset-requests': duration(resetMs),
  };
}

/** The headers about tokens per minute. */
export const tokenHeaders = ({ limit, remaining, resetMs }: LimitStanding): Record<string, string> => ({
  'ratelimit-policy': `"tokens";q=${limit};qu="tokens";w=60`,
  ratelimit: `"tokens";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
  'x-ratelimit-limit-tokens': String(limit),
  'x-ratelimit-remaining-tokens': String(remaining),
  'x-ratelimit-reset-tokens': duration(resetMs),
});

const listHeaders = ['ratelimit-policy', 'ratelimit'] as const;

type Headers = Readonly<Record<string, string>>;

/** The list headers of a response whose requests and tokens are limited by different services; empty otherwise. */
export function joinedLimits(requests: Headers, tokens: Headers): Headers {
  const joined: Record<string, string> = {};
  for (const name of listHeaders) {
    const [one, other] = [requests[name], tokens[name]];
    if (one !== undefined && other !== undefined) joined[name] = `${one}, ${other}`;
  }
  return joined;
}

/** A duration in OpenAI's format: `350ms`, `12.5s`. */
const duration = (ms: number): string =>
  ms < 1000 ? `${Math.ceil(ms)}ms` : `${(Math.ceil(ms / 100) / 10).toString()}s`;

const milliseconds = (text: string): number => parseFloat(text) * (text.endsWith('ms') ? 1 : 1000);

/** The same limits under the names of Anthropic's API, whose clients expect the time of a reset. */
export function anthropicLimits(headers: Headers, now: number): Headers {
  const limits: Record<string, string> = {};
  for (const unit of ['requests', 'tokens']) {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(
      (name) => headers[`x-ratelimit-${name}-${unit}`],
    );
    if (limit === undefined || remaining === undefined || reset === undefined) continue;
    limits[`anthropic-ratelimit-${unit}-limit`] = limit;
    limits[`anthropic-ratelimit-${unit}-remaining`] = remaining;
    limits[`anthropic-ratelimit-${unit}-reset`] = rfc3339(now + milliseconds(reset));
  }
  return limits;
}

/** Whole seconds, rounded up. */
const rfc3339 = (ms: number): string => new Date(Math.ceil(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
