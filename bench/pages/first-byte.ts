import { Agent, request } from 'undici';
import type { Visitors } from './fill-people.ts';
import type { MeasuredPath } from './paths.ts';

/** Milliseconds to the first byte, and to the last one. */
export interface FirstBytes {
  p50: number;
  p95: number;
  max: number;
  whole: { p50: number; p95: number };
}

interface Measured extends MeasuredPath {
  visitors: Visitors;
  repeat: number;
}

/** Requests before the measured ones. */
const warmUp = 5;
const deadlineMs = 30_000;
const agent = new Agent({ connections: 1 });

/** Measures the time to the first byte of the body, one request at a time. Rejects if an answer is no success. */
export async function measurePath(baseUrl: string, { repeat, ...path }: Measured): Promise<FirstBytes> {
  const times: Times[] = [];
  for (let round = -warmUp; round < repeat; round += 1) {
    const measured = await timesOf(baseUrl, path);
    if (round >= 0) times.push(measured);
  }
  const first = quantiles(times.map(({ first: ms }) => ms));
  const last = quantiles(times.map(({ last: ms }) => ms));
  return { p50: first(0.5), p95: first(0.95), max: first(1), whole: { p50: last(0.5), p95: last(0.95) } };
}

function quantiles(times: readonly number[]): (part: number) => number {
  const sorted = times.toSorted((one, other) => one - other);
  return (part) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}

interface Times {
  first: number;
  last: number;
}

/** An export is left after its first byte. */
async function timesOf(baseUrl: string, { path, as, visitors }: Omit<Measured, 'repeat'>): Promise<Times> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(baseUrl + path, {
    dispatcher: agent,
    headers: headersOf(as, visitors),
    signal: AbortSignal.timeout(deadlineMs),
  });
  if (statusCode !== 200) throw new Error(`${path} as ${as}: ${statusCode} ${(await body.text()).slice(0, 300)}`);
  let first: number | undefined;
  for await (const _chunk of body) {
    first ??= performance.now() - startedAt;
    if (path.includes('/export')) break;
  }
  const last = performance.now() - startedAt;
  return { first: first ?? last, last };
}

function headersOf(as: MeasuredPath['as'], visitors: Visitors): Record<string, string> {
  if (as === 'anyone') return {};
  return as === 'key' ? { authorization: `Bearer ${visitors.key}` } : { cookie: visitors[as] };
}
