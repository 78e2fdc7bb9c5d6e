import { openStore } from '@tallyport/store';
import { expect, onTestFinished, test } from 'vitest';
import { startRedis } from '../../../tests/support/servers.ts';
import { stallRedis } from '../../../tests/support/stall-redis.ts';
import { joinReplicas } from './replicas.ts';
import type { LimitVerdict } from './request-counter.ts';
import { createRequestWindows } from './request-windows.ts';

const limit = 300;
const waiting = { interval: 20 };

async function openReplica(url: string) {
  const store = await openStore({ url });
  const replicas = joinReplicas({ store, group: 'test' });
  const windows = createRequestWindows({ store, windowMs: 60_000, replicas: replicas.count });
  onTestFinished(async () => {
    await Promise.all([windows.stop(), replicas.stop()]);
    await store.close();
  });
  const take = (count: number): Promise<LimitVerdict[]> =>
    Promise.all(Array.from({ length: count }, async () => windows.take('a', limit)));
  return { count: replicas.count, take };
}

const allowedOf = (all: readonly LimitVerdict[]): number => all.filter(({ allowed }) => allowed).length;

test('three replicas with ten times the limit in requests accept the limit, although Redis stalls in the middle', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const replicas = await Promise.all([1, 2, 3].map(() => openReplica(redis.url)));
  const takeEach = async (count: number) => (await Promise.all(replicas.map(({ take }) => take(count)))).flat();
  await expect.poll(() => replicas.map(({ count }) => count()), waiting).toEqual([3, 3, 3]);

  const before = await takeEach(50);
  await stallRedis(redis.url, 1_500);
  const during = await takeEach(500);
  const after: LimitVerdict[] = [];
  await expect
    .poll(async () => {
      const asked = await takeEach(50);
      after.push(...asked);
      return asked.some(({ alone }) => alone);
    }, waiting)
    .toBe(false);
  expect(during.some(({ alone }) => alone)).toBe(true);
  expect([before, during, after].map(allowedOf)).toEqual([150, 150, 0]);
});
