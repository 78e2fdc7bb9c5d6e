export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

const LONGEST_MS = 24 * 3_600_000;

/**
 * How long the vendor asks us to wait. A date is compared with the response's own `date` header, so no clock is read
 * and none has to be right.
 */
export function retryAfterMs(headers: ResponseHeaders): number | undefined {
  const milliseconds = amount(header(headers, 'retry-after-ms'));
  if (milliseconds !== undefined) return bounded(milliseconds);
  const value = header(headers, 'retry-after');
  const seconds = amount(value);
  if (seconds !== undefined) return bounded(seconds * 1_000);
  const wait = Date.parse(value ?? '') - Date.parse(header(headers, 'date') ?? '');
  return Number.isNaN(wait) ? undefined : bounded(wait);
}

function header(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const amount = (value: string | undefined): number | undefined =>
  value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;

const bounded = (milliseconds: number): number => Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_MS);
