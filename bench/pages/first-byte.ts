import { Agent, request } from 'undici';
import type { Visitors } from './fill-people.ts';
import type { MeasuredPath } from './paths.ts';

export interface FirstBytes {
  p50: number;
  p95: number;
  max: number;
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
  const times: number[] = [];
  for (let round = -warmUp; round < repeat; round += 1) {
    const ms = await firstByte(baseUrl, path);
    if (round >= 0) times.push(ms);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

async function firstByte(baseUrl: string, { path, as, visitors }: Omit<Measured, 'repeat'>): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(baseUrl + path, {
    dispatcher: agent,
    headers: headersOf(as, visitors),
    signal: AbortSignal.timeout(deadlineMs),
  });
  if (statusCode !== 200) throw new Error(`${path} as ${as}: ${statusCode} ${(await body.text()).slice(0, 300)}`);
  let ms: number | undefined;
  for await (const _chunk of body) {
    ms ??= performance.now() - startedAt;
    if (path.includes('/export')) break;
  }
  return ms ?? performance.now() - startedAt;
}

function headersOf(as: MeasuredPath['as'], visitors: Visitors): Record<string, string> {
  if (as === 'anyone') return {};
  return as === 'key' ? { authorization: `Bearer ${visitors.key}` } : { cookie: visitors[as] };
}
