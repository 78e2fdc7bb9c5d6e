import type { ResponseHeaders } from '../faults/retry-after.ts';

const limits = ['requests', 'tokens', 'input-tokens', 'output-tokens'];
const LONGEST_MS = 24 * 3_600_000;

/** The time until the last exhausted limit resets, measured by the vendor's own clock. */
export function resetAfterMs(headers: ResponseHeaders): number | undefined {
  const now = Date.parse(single(headers.date));
  const waits = limits
    .filter((limit) => single(headers[`anthropic-ratelimit-${limit}-remaining`]) === '0')
    .map((limit) => Date.parse(single(headers[`anthropic-ratelimit-${limit}-reset`])) - now)
    .filter((wait) => Number.isFinite(wait));
  return waits.length === 0 ? undefined : Math.min(Math.max(0, ...waits), LONGEST_MS);
}

const single = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';
