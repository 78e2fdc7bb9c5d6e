import { randomUUID } from 'node:crypto';
import { createByteQuota, openStore, type Store } from '@tallyport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStoredResponses } from './stored-responses.ts';
import { storedResponsesSuite } from './stored-responses.suite.ts';

/** Set for every run by tests/support. */
const url = process.env['TEST_REDIS_URL'] ?? '';

const stores: Store[] = [];
beforeAll(async () => {
  stores.push(await openStore({ url, prefix: `${randomUUID()}:` }), await openStore({}));
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

for (const [index, name] of ['Redis', 'memory'].entries()) storedResponsesSuite(name, () => stores[index]!);

test('while the store is unavailable, nothing is stored, and nothing counts as unknown', async () => {
  const store = await openStore({});
  await store.close();
  const quota = createByteQuota({ store, name: 'away', maxBytes: 1_000_000 });
  const stored = createStoredResponses({ kind: 'response', store, quota, maxBytes: 1_000_000, ttlMs: 60_000 });
  const response = { id: 'resp_1', response: { output: [] }, input: [], previous: undefined };
  expect(await stored.keep({ accountId: 'account' }, response)).toBe('unavailable');
  for (const asked of [
    stored.find({ accountId: 'account' }, 'resp_1'),
    stored.delete({ accountId: 'account' }, 'resp_1'),
  ]) {
    await expect(asked).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1_000 });
  }
});

test('a response whose read was not heard in time, as in a suspended process, is not called unknown', async () => {
  const store = stores[0]!;
  const quota = createByteQuota({ store, name: 'unheard', maxBytes: 10_000_000 });
  let isHeard = true;
  const find: Store['find'] = async (name) => (isHeard ? store.find(name) : 'unknown');
  const stored = createStoredResponses({
    kind: 'response',
    store: { ...store, find },
    quota,
    maxBytes: 5_000_000,
    ttlMs: 60_000,
  });
  const response = { output: [], text: 'x'.repeat(3_000_000) };
  const owner = { accountId: 'account' };
  expect(await stored.keep(owner, { id: 'resp_unheard', response, input: [], previous: undefined })).toBe('stored');
  const found = await stored.find(owner, 'resp_unheard');
  isHeard = false;
  for (const asked of [
    () => stored.find(owner, 'resp_unheard'),
    () => found?.read(),
    () => stored.delete(owner, 'resp_unheard'),
  ]) {
    await expect(asked()).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1_000 });
  }
  isHeard = true;
  expect(await found?.read()).toEqual({ response, input: [], output: [] });
  expect(await stored.delete(owner, 'resp_unheard')).toBe(true);
  expect(await stored.find(owner, 'resp_unheard')).toBeUndefined();
});
