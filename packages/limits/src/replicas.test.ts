import { openStore, type Store } from '@tallyport/store';
import { expect, onTestFinished, test } from 'vitest';
import { startRedis } from '../../../tests/support/servers.ts';
import { assumedReplicas, joinReplicas } from './replicas.ts';
import { createRequestWindows } from './request-windows.ts';

const limit = 60;

async function openClosing(url: string): Promise<Store> {
  const store = await openStore({ url });
  onTestFinished(() => store.close());
  return store;
}

/** The number of requests that a replica admits now. */
async function letIn(store: Store): Promise<number> {
  const replicas = joinReplicas({ store, group: 'test' });
  const windows = createRequestWindows({ store, windowMs: 60_000, replicas: replicas.count });
  onTestFinished(async () => {
    await windows.stop();
    await replicas.stop();
  });
  const verdicts = await Promise.all(Array.from({ length: 2 * limit }, async () => windows.take('key', limit)));
  return verdicts.filter(({ allowed }) => allowed).length;
}

test('replicas that start while the store is unavailable stay within a limit together', async () => {
  const redis = await startRedis();
  await redis.kill();
  const counts: number[] = [];
  for (let started = 0; started < 6; started += 1) counts.push(await letIn(await openClosing(redis.url)));
  expect(counts).toEqual([5, 5, 5, 5, 5, 5]);
  await redis.restart();
  await redis.stop();
});

test('a replica that knows that it is alone has the whole limit', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  expect(await letIn(await openClosing(redis.url))).toBe(limit);
});

test('a replica without information on others reaches its part after a minute', () => {
  expect([0, 15_000, 30_000, 60_000, 600_000].map(assumedReplicas)).toEqual([12, 12, 6, 3, 3]);
});

test('the last known number of replicas applies while the store is unavailable', async () => {
  const redis = await startRedis();
  const stores = await Promise.all([openClosing(redis.url), openClosing(redis.url)]);
  const [one, two] = stores.map((store) => joinReplicas({ store, group: 'test' }));
  onTestFinished(async () => {
    await one?.stop();
    await two?.stop();
    await redis.stop();
  });
  await expect.poll(() => one?.count()).toBe(2);
  await redis.kill();
  await expect.poll(() => stores[0]?.state().connected).toBe(false);
  expect(one?.count()).toBe(2);
});
