import { expect, test } from 'vitest';
import { storeSuite } from '../store.suite.ts';
import { openMemoryStore } from './memory-store.ts';

storeSuite('memory', async (options) => openMemoryStore(options));

const minute = 60_000;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);

test('keeps at most `maxEntries` values and evicts the least recently used', async () => {
  const store = openMemoryStore({ memory: { maxEntries: 3 } });
  for (const key of numbered(3)) await store.set(key, Uint8Array.of(1), minute);
  await store.get('key-0');
  await store.set('key-3', Uint8Array.of(1), minute);
  const kept = await Promise.all(numbered(4).map(async (key) => (await store.get(key)) !== undefined));
  expect(kept).toEqual([true, false, true, true]);
});

test('keeps at most `maxBytes`, and refuses a value that can never fit', async () => {
  const store = openMemoryStore({ memory: { maxBytes: 10_000 }, maxValueBytes: 20_000 });
  for (const key of numbered(100)) await store.set(key, new Uint8Array(1_000), minute);
  const kept = await Promise.all(numbered(100).map(async (key) => (await store.get(key)) !== undefined));
  expect(kept.filter(Boolean)).toHaveLength(9);
  expect(await store.set('large', new Uint8Array(10_000), minute)).toBe('too_large');
});

test('keeps a bounded number of counters and buckets', async () => {
  const store = openMemoryStore({ memory: { maxEntries: 10 } });
  const rule = { capacity: 1, refillPerSecond: 0.001, cost: 1 };
  for (const key of numbered(11)) {
    await store.increment(key, 1, minute);
    await store.take(key, rule);
  }
  expect([await store.increment('key-0', 0, minute), await store.increment('key-10', 0, minute)]).toEqual([0, 1]);
  expect(await store.take('key-10', rule)).toMatchObject({ allowed: false });
  expect(await store.take('key-0', rule)).toMatchObject({ allowed: true });
});
