import { randomUUID } from 'node:crypto';
import type { ListedItem } from '@tallyport/dialects';
import { createByteQuota, pieceBytes, type Store } from '@tallyport/store';
import { describe, expect, test } from 'vitest';
import { withItemsAdded } from './added-items.ts';
import { createConversationStore } from './conversation-store.ts';
import type { FoundConversation } from './conversation-values.ts';

const minute = 60_000;
const megabyte = 1024 ** 2;
const overhead = 512;
const owner = { accountId: 'account' };

const itemOf = (id: string, text = ''): ListedItem => ({ type: 'message', id, role: 'user', content: text });
const conversationOf = (...items: ListedItem[]) => ({
  id: `conv_${randomUUID()}`,
  createdAt: 1_700_000_000,
  metadata: { topic: 'a' },
  items,
});
/** An item whose list of one has exactly these bytes. */
const sized = (bytes: number) => itemOf('msg_1', 'x'.repeat(bytes - JSON.stringify([itemOf('msg_1')]).length));
const idsOf = (found: { items: readonly ListedItem[] } | undefined) => found?.items.map(({ id }) => id);

/** Conversations must behave the same in Redis and in memory. */
export function conversationStoreSuite(name: string, open: () => Store): void {
  const started = ({ accountBytes = 64 * megabyte, ttlMs = minute, wrap = (store: Store): Store => store } = {}) => {
    const store = open();
    const quota = createByteQuota({ store, name: randomUUID(), maxBytes: accountBytes });
    return createConversationStore({ store: wrap(store), quota, ttlMs });
  };

  describe(`${name}: a conversation`, () => {
    test.each([200, pieceBytes, pieceBytes + 1, 2 * pieceBytes + 7])('of %i bytes is found whole', async (bytes) => {
      const conversations = started();
      const conversation = conversationOf(sized(bytes));
      await conversations.create(owner, conversation);
      expect(await conversations.find(owner, conversation.id)).toEqual({ ...conversation, bytes });
    });

    test('grows from one value into pieces, and back', async () => {
      const conversations = started();
      const conversation = conversationOf(itemOf('a'));
      await conversations.create(owner, conversation);
      await conversations.change(owner, conversation.id, (before) => withItemsAdded(before, [sized(2 * pieceBytes)]));
      expect(idsOf(await conversations.find(owner, conversation.id))).toEqual(['a', 'msg_1']);
      await conversations.change(owner, conversation.id, (before) => ({ ...before, items: before.items.slice(0, 1) }));
      expect(await conversations.find(owner, conversation.id)).toMatchObject({ items: conversation.items });
    });

    test.each([0, pieceBytes])('of %i bytes more gets all items of changes at the same time, once', async (bytes) => {
      const conversations = started();
      const conversation = conversationOf(sized(200 + bytes));
      await conversations.create(owner, conversation);
      const ids = Array.from({ length: 12 }, (_, at) => `turn_${at}`);
      await Promise.all(
        ids.map((id) => conversations.change(owner, conversation.id, (before) => withItemsAdded(before, [itemOf(id)]))),
      );
      const found = await conversations.find(owner, conversation.id);
      expect(idsOf(found)?.toSorted()).toEqual(['msg_1', ...ids].toSorted());
    });

    test('gets a turn once, also if its answer from the store was lost', async () => {
      let lost = 0;
      const conversations = started({
        wrap: (store) => ({
          ...store,
          async setIfOurs(...change) {
            const result = await store.setIfOurs(...change);
            return lost++ < 2 ? 'unknown' : result;
          },
        }),
      });
      const conversation = conversationOf();
      await conversations.create(owner, conversation);
      await conversations.change(owner, conversation.id, (before) => withItemsAdded(before, [itemOf('a')]));
      expect(idsOf(await conversations.find(owner, conversation.id))).toEqual(['a']);
    });

    test('that is deleted is not there, also for a change that read it before', async () => {
      let meanwhile: () => Promise<unknown> = async () => {};
      const conversations = started({
        wrap: (store) => ({
          ...store,
          async setIfOurs(...change) {
            await meanwhile();
            return store.setIfOurs(...change);
          },
        }),
      });
      const conversation = conversationOf(itemOf('a'));
      await conversations.create(owner, conversation);
      meanwhile = () => {
        meanwhile = async () => {};
        return conversations.delete(owner, conversation.id);
      };
      const add = (before: FoundConversation) => withItemsAdded(before, [itemOf('b')]);
      expect(await conversations.change(owner, conversation.id, add)).toBeUndefined();
      expect(await conversations.find(owner, conversation.id)).toBeUndefined();
      expect(await conversations.delete(owner, conversation.id)).toBe(false);
    });

    test('that is changed while it is deleted is deleted with its change, and frees all that it counted', async () => {
      let meanwhile: () => Promise<unknown> = async () => {};
      const conversations = started({
        accountBytes: 3 * (1_000 + overhead),
        wrap: (store) => ({
          ...store,
          async find(name) {
            const found = await store.find(name);
            await meanwhile();
            return found;
          },
        }),
      });
      for (let round = 0; round < 4; round += 1) {
        const conversation = conversationOf(itemOf('a'));
        await conversations.create(owner, conversation);
        meanwhile = () => {
          meanwhile = async () => {};
          return conversations.change(owner, conversation.id, (before) => withItemsAdded(before, [sized(1_000)]));
        };
        expect(await conversations.delete(owner, conversation.id)).toBe(true);
        expect(await conversations.find(owner, conversation.id)).toBeUndefined();
      }
    });

    test('is deleted once, also if the answer from the store was lost', async () => {
      let lost = 0;
      const conversations = started({
        accountBytes: 1_000 + overhead,
        wrap: (store) => ({
          ...store,
          async setIfOurs(...change) {
            const result = await store.setIfOurs(...change);
            return lost++ < 1 ? 'unknown' : result;
          },
        }),
      });
      const conversation = conversationOf(sized(1_000));
      await conversations.create(owner, conversation);
      expect(await conversations.delete(owner, conversation.id)).toBe(true);
      expect(await conversations.delete(owner, conversation.id)).toBe(false);
      const next = conversationOf(sized(1_000));
      await expect.poll(() => conversations.create(owner, next).then(() => 'stored', String)).toBe('stored');
    });

    test('of another account or project is unknown', async () => {
      const conversations = started();
      const conversation = conversationOf(itemOf('a'));
      const inProject = { ...owner, projectId: 'search' };
      await conversations.create(inProject, conversation);
      for (const other of [owner, { ...owner, projectId: 'ads' }, { accountId: 'other', projectId: 'search' }]) {
        expect(await conversations.find(other, conversation.id)).toBeUndefined();
        expect(
          await conversations.change(other, conversation.id, (before) => ({ ...before, items: [] })),
        ).toBeUndefined();
        expect(await conversations.delete(other, conversation.id)).toBe(false);
      }
      expect(await conversations.find(inProject, conversation.id)).toMatchObject({ items: conversation.items });
    });

    test('expires after its last change', async () => {
      const conversations = started({ ttlMs: 200 });
      const conversation = conversationOf();
      await conversations.create(owner, conversation);
      await expect.poll(() => conversations.find(owner, conversation.id)).toBeUndefined();
    });

    test('counts in the quota of its account with its current size only', async () => {
      const conversations = started({ accountBytes: 3 * (1_000 + overhead) });
      const large = conversationOf(sized(1_000));
      await conversations.create(owner, large);
      for (let round = 0; round < 5; round += 1) {
        await conversations.change(owner, large.id, (before) => ({ ...before, metadata: { round: String(round) } }));
      }
      await conversations.create(owner, conversationOf(sized(1_000)));
      const third = conversationOf(sized(1_000));
      await expect.poll(() => conversations.create(owner, third).then(() => 'stored', String)).toBe('stored');
      await expect(conversations.create(owner, conversationOf(sized(1_000)))).rejects.toMatchObject({
        code: 'request_too_large',
      });
      await conversations.delete(owner, third.id);
      await expect.poll(() => conversations.create(owner, third).then(() => 'stored', String)).toBe('stored');
    });
  });
}
