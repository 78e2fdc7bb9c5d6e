import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../packages/bus/src/index.ts';
import { natsLink } from '../../packages/bus/src/nats.ts';
import { authService, hashKey } from '../../packages/contracts/src/index.ts';
import { type Quantiles, quantilesOf } from '../measure/stats.ts';
import { keysOfLarge } from './fill-people.ts';

interface LookUpOptions {
  natsUrl: string;
  seconds: number;
}

/** Look-ups a second: what about 6,000 keys in use cost two edges. */
const everyMs = 5;

/** Looks keys up at auth-svc, as edge does for keys that it has not seen for half a minute, at a steady rate. */
export async function measureLookUps({ natsUrl, seconds }: LookUpOptions): Promise<Quantiles> {
  const link = await natsLink({ url: natsUrl, name: 'bench' });
  const { authenticate } = createClient(link, authService);
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  for (let count = 0; performance.now() < endsAt; count += 1) {
    const startedAt = performance.now();
    const keyHash = hashKey(String(count % keysOfLarge));
    running.push(authenticate({ keyHash }).then(() => void times.push(performance.now() - startedAt)));
    await pause(everyMs);
  }
  await Promise.all(running);
  await link.close();
  return quantilesOf(Float64Array.from(times));
}

interface Reports {
  baseUrl: string;
  key: string;
  /** Reports at the same time. */
  atOnce: number;
  paths: readonly string[];
}

/** Reads reports over and over until the returned function is called, which resolves with how many were read. */
export function readReports({ baseUrl, key, atOnce, paths }: Reports): () => Promise<number> {
  const stop = new AbortController();
  let count = 0;
  async function readOn(first: number): Promise<void> {
    for (let turn = first; !stop.signal.aborted; turn += 1) {
      const path = paths[turn % paths.length] ?? '';
      const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` }, signal: stop.signal });
      await answer.bytes();
      if (answer.status === 200) count += 1;
    }
  }
  const readers = Array.from({ length: atOnce }, (_, at) => readOn(at).catch(() => undefined));
  return async () => {
    stop.abort();
    await Promise.all(readers);
    return count;
  };
}
