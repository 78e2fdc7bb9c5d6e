import { expect, test } from 'vitest';
import { createByteQuota } from './byte-quota.ts';
import { openMemoryStore } from './memory/memory-store.ts';
import { openStore } from './open.ts';
import type { Store } from './store.ts';

const stores: Record<string, () => Promise<Store>> = {
  memory: async () => openMemoryStore(),
  redis: () =>
    openStore({ url: process.env['TEST_REDIS_URL'] ?? '', prefix: `quota-${process.pid}-${Math.random()}:` }),
};

test.for(Object.keys(stores))(
  'a quota in %s accepts up to its limit per holder, and not one byte more',
  async (name, { onTestFinished }) => {
    const store = await (stores[name] ?? stores['memory'])?.();
    if (store === undefined) throw new Error('unknown store');
    onTestFinished(() => store.close());
    const quota = createByteQuota({ store, name: 'answers', maxBytes: 100 });
    const takes = async (holder: string, bytes: number) => (await quota.take(holder, bytes, 60_000)) !== undefined;
    expect([await takes('one', 101), await takes('one', 60), await takes('one', 41)]).toEqual([false, true, false]);
    const share = await quota.take('one', 40, 60_000);
    expect([await takes('one', 1), await takes('two', 100), await takes('two', 1)]).toEqual([false, true, false]);
    share?.giveBack();
    expect([await takes('one', 41), await takes('one', 40)]).toEqual([false, true]);
  },
);

test('values with a longer time to live are counted longer, and separately', async () => {
  const quota = createByteQuota({ store: openMemoryStore(), name: 'answers', maxBytes: 100 });
  const kept = [];
  for (const keptMs of [60_000, 60_001, 600_000, 600_001])
    kept.push((await quota.take('one', 60, keptMs)) !== undefined);
  expect(kept).toEqual([true, true, false, true]);
});

test('nothing is refused while the store is unavailable', async () => {
  const store = openMemoryStore();
  await store.close();
  const quota = createByteQuota({ store, name: 'answers', maxBytes: 100 });
  expect(await quota.take('one', 1_000, 60_000)).toBeDefined();
});
