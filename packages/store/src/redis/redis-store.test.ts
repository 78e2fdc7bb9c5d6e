import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { redisCommand } from '../testing/redis-command.ts';
import { storeSuite } from '../store.suite.ts';

/** Set by tests/support. */
const url = process.env['TEST_REDIS_URL'] ?? '';

storeSuite('redis', (options) => openStore({ url, ...options }));

async function twoReplicas(): Promise<[Store, Store]> {
  const options = { url, prefix: `${randomUUID()}:` };
  return Promise.all([openStore(options), openStore(options)]);
}

test('two replicas together allow exactly the capacity of one bucket', async () => {
  const replicas = await twoReplicas();
  const rule = { capacity: 100, refillPerSecond: 10, cost: 1 };
  const from = performance.now();
  const taken = await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => replicas[index % 2]?.take('a', rule)),
  );
  const seconds = (performance.now() - from) / 1_000;
  const allowed = taken.filter((each) => each?.allowed).length;
  expect(taken).not.toContain(undefined);
  expect(allowed).toBeGreaterThanOrEqual(100);
  expect(allowed).toBeLessThanOrEqual(100 + Math.ceil(10 * seconds));
  await Promise.all(replicas.map((store) => store.close()));
});

test('two replicas share counters, values and channels', async () => {
  const [first, second] = await twoReplicas();
  const received: Uint8Array[] = [];
  second.subscribe('news', (payload) => received.push(payload));
  await first.increment('a', 1, 1_000);
  expect(await second.increment('a', 1, 1_000)).toBe(2);
  await first.set('a', Uint8Array.of(7), 1_000);
  expect(await second.get('a')).toEqual(Uint8Array.of(7));
  await expect
    .poll(async () => {
      await first.publish('news', Uint8Array.of(7));
      return received[0];
    })
    .toEqual(Uint8Array.of(7));
  await Promise.all([first.close(), second.close()]);
});

test('stores with different prefixes share nothing', async () => {
  const [first, second] = await Promise.all(
    ['one:', 'two:'].map((prefix) => openStore({ url, prefix: randomUUID() + prefix })),
  );
  const received: Uint8Array[] = [];
  second?.subscribe('a', (payload) => received.push(payload));
  await first?.set('a', Uint8Array.of(1), 1_000);
  await second?.ping(1_000);
  await first?.publish('a', Uint8Array.of(1));
  await second?.ping(1_000);
  expect([await second?.get('a'), received]).toEqual([undefined, []]);
  await Promise.all([first?.close(), second?.close()]);
});

test('fading sums are removed when they were not added to for twenty half-lives', async () => {
  const prefix = `${randomUUID()}:`;
  const store = await openStore({ url, prefix });
  await store.accumulate('a', new Map([['old', [1e9]]]), 1);
  const add = () => store.accumulate('a', new Map([['new', [1]]]), 1);
  await expect
    .poll(async () => {
      await Promise.all(Array.from({ length: 100 }, add));
      return redisCommand(url, ['HKEYS', `${prefix}sums:a`]);
    })
    .toEqual(['new']);
  await store.close();
});
