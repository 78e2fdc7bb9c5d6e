import { randomUUID } from 'node:crypto';
import { createByteQuota, openStore, type Store } from '@tallyport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConversationStore } from './conversation-store.ts';
import { conversationStoreSuite } from './conversation-store.suite.ts';

/** Set for every run by tests/support. */
const url = process.env['TEST_REDIS_URL'] ?? '';

const stores: Store[] = [];
beforeAll(async () => {
  stores.push(await openStore({ url, prefix: `${randomUUID()}:` }), await openStore({}));
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

for (const [index, name] of ['Redis', 'memory'].entries()) conversationStoreSuite(name, () => stores[index]!);

test('while the store is unavailable, conversations count as unavailable and not as unknown', async () => {
  const store = await openStore({});
  await store.close();
  const quota = createByteQuota({ store, name: 'away', maxBytes: 1_000_000 });
  const conversations = createConversationStore({ store, quota, ttlMs: 60_000 });
  const owner = { accountId: 'account' };
  const conversation = { id: 'conv_1', createdAt: 1, metadata: {}, items: [] };
  for (const asked of [
    conversations.create(owner, conversation),
    conversations.find(owner, 'conv_1'),
    conversations.change(owner, 'conv_1', (before) => before),
    conversations.delete(owner, 'conv_1'),
  ]) {
    await expect(asked).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1_000 });
  }
});

test('a conversation whose pieces were not heard in time is not called unknown', async () => {
  const store = stores[0]!;
  const quota = createByteQuota({ store, name: 'unheard', maxBytes: 10_000_000 });
  let isHeard = true;
  const find: Store['find'] = async (name) => (isHeard || name.length < 60 ? store.find(name) : 'unknown');
  const conversations = createConversationStore({ store: { ...store, find }, quota, ttlMs: 60_000 });
  const owner = { accountId: 'account' };
  const items = [{ type: 'message', id: 'msg_1', role: 'user', content: 'x'.repeat(3_000_000) }];
  await conversations.create(owner, { id: 'conv_1', createdAt: 1, metadata: {}, items });
  isHeard = false;
  await expect(conversations.find(owner, 'conv_1')).rejects.toMatchObject({ code: 'unavailable' });
  isHeard = true;
  expect(await conversations.find(owner, 'conv_1')).toMatchObject({ items });
});
