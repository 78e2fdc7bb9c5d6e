import { randomUUID } from 'node:crypto';
import type { ListedItem } from '@tallyport/dialects';
import { createByteQuota, pieceBytes, type Store } from '@tallyport/store';
import { describe, expect, test } from 'vitest';
import { createStoredResponses, type EndedResponse, type FoundRecord } from './stored-responses.ts';

const minute = 60_000;
const megabyte = 1024 ** 2;
/** What a record counts in addition to its body, and the name of its output item. */
const overhead = 512 + 256;

const itemOf = (text: string): ListedItem => ({ type: 'message', id: 'msg_1', role: 'user', content: text });
const responseOf = (id: string, text = '') => ({ id, output: [{ ...itemOf(text), role: 'assistant' }] });
const ended = (id: string, text = '') => ({
  id,
  response: responseOf(id, text),
  input: [itemOf('Hi')],
  previous: undefined,
});
const bytesOf = ({ response, input }: Pick<EndedResponse, 'response' | 'input'>) =>
  JSON.stringify({ response, input }).length;
/** A response whose record has exactly these bytes. */
const sized = (id: string, bytes: number) => ended(id, 'x'.repeat(bytes - bytesOf(ended(id))));

interface Bounds {
  maxBytes?: number;
  accountBytes?: number;
  ttlMs?: number;
}

/** Stored responses must behave the same in Redis and in memory. */
export function storedResponsesSuite(name: string, open: () => Store): void {
  const started = ({ maxBytes = 3 * megabyte, accountBytes = 64 * megabyte, ttlMs = minute }: Bounds = {}) => {
    const names = new Set<string>();
    const store = open();
    const recording: Store = {
      ...store,
      set(key, ...rest) {
        names.add(key);
        return store.set(key, ...rest);
      },
    };
    const quota = createByteQuota({ store, name: randomUUID(), maxBytes: accountBytes });
    return {
      stored: createStoredResponses({ kind: 'response', store: recording, quota, maxBytes, ttlMs }),
      store,
      names,
    };
  };

  describe(`${name}: a response`, () => {
    test.each([200, pieceBytes, pieceBytes + 1, 2 * pieceBytes + 7])('of %i bytes is found whole', async (bytes) => {
      const { stored } = started();
      const response = sized('resp_whole', bytes);
      expect(await stored.keep({ accountId: 'account' }, response)).toBe('stored');
      const found = await stored.find({ accountId: 'account' }, 'resp_whole');
      expect(await found?.read()).toEqual({
        response: response.response,
        input: response.input,
        output: response.response.output,
      });
    });

    test('of the largest size is stored, and one byte more is not', async () => {
      const { stored } = started({ maxBytes: 1_000 });
      expect(await stored.keep({ accountId: 'account' }, sized('resp_fits', 1_000))).toBe('stored');
      expect(await stored.keep({ accountId: 'account' }, sized('resp_large', 1_001))).toBe('too_large');
      expect(await stored.find({ accountId: 'account' }, 'resp_large')).toBeUndefined();
    });

    test('counts towards its account until it is deleted, without affecting other accounts', async () => {
      const bytes = 1_000;
      const { stored } = started({ accountBytes: 2 * (bytes + overhead) });
      const keep = (id: string, account = 'full', size = bytes) => stored.keep({ accountId: account }, sized(id, size));
      expect([await keep('resp_a'), await keep('resp_b', 'full', bytes + 1)]).toEqual(['stored', 'account_full']);
      expect([await keep('resp_b'), await keep('resp_c'), await keep('resp_c', 'another')]).toEqual([
        'stored',
        'account_full',
        'stored',
      ]);
      await stored.delete({ accountId: 'full' }, 'resp_a');
      await expect.poll(() => keep('resp_c')).toBe('stored');
      expect(await keep('resp_d')).toBe('account_full');
    });

    test('is found by an item that a vendor wrote, in its account and until it is deleted', async () => {
      const { stored } = started();
      const output = [
        { type: 'message', id: 'msg_vendor' },
        { type: 'message', id: 'msg_named_1' },
      ];
      await stored.keep({ accountId: 'account' }, { ...ended('resp_named'), response: { output } });
      const found = () =>
        Promise.all([
          stored.responseOf({ accountId: 'account' }, 'msg_vendor'),
          stored.responseOf({ accountId: 'stranger' }, 'msg_vendor'),
          stored.responseOf({ accountId: 'account' }, 'msg_named_1'),
        ]);
      expect(await found()).toEqual(['resp_named', undefined, undefined]);
      await stored.delete({ accountId: 'account' }, 'resp_named');
      await expect.poll(found).toEqual([undefined, undefined, undefined]);
    });

    test('is unknown to other accounts, which cannot delete it', async () => {
      const { stored } = started();
      await stored.keep({ accountId: 'account' }, ended('resp_mine'));
      expect(await stored.find({ accountId: 'stranger' }, 'resp_mine')).toBeUndefined();
      expect(await stored.delete({ accountId: 'stranger' }, 'resp_mine')).toBe(false);
      expect(await stored.find({ accountId: 'account' }, 'resp_mine')).toBeDefined();
    });

    test.each([200, pieceBytes + 1])('of %i bytes is deleted once, with all its pieces', async (bytes) => {
      const { stored, store, names } = started();
      await stored.keep({ accountId: 'account' }, sized('resp_gone', bytes));
      expect([
        await stored.delete({ accountId: 'account' }, 'resp_gone'),
        await stored.delete({ accountId: 'account' }, 'resp_gone'),
      ]).toEqual([true, false]);
      expect(await stored.find({ accountId: 'account' }, 'resp_gone')).toBeUndefined();
      await expect
        .poll(() => Promise.all([...names].map((each) => store.get(each))))
        .toEqual([...names].map(() => undefined));
    });

    test('expires', async () => {
      const { stored } = started({ ttlMs: 30 });
      await stored.keep({ accountId: 'account' }, ended('resp_short'));
      await expect.poll(() => stored.find({ accountId: 'account' }, 'resp_short')).toBeUndefined();
    });

    test('knows the conversation before it, and its size', async () => {
      const { stored } = started();
      let previous: FoundRecord | undefined;
      for (const id of ['resp_1', 'resp_2', 'resp_3']) {
        await stored.keep({ accountId: 'account' }, { ...sized(id, 300), previous });
        previous = await stored.find({ accountId: 'account' }, id);
      }
      expect(previous).toMatchObject({
        id: 'resp_3',
        head: { earlier: ['resp_1', 'resp_2'], conversationBytes: 900, bytes: 300 },
      });
    });

    test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
      ['cut off', (bytes) => bytes.subarray(0, -3)],
      ['changed', (bytes) => bytes.with(-3, 7)],
      ['replaced', () => Buffer.from('something else')],
    ])('whose record was %s counts as unknown, and can be deleted', async (_what, spoiled) => {
      const { stored, store, names } = started();
      await stored.keep({ accountId: 'account' }, ended('resp_spoiled'));
      const [key = ''] = names;
      await store.set(key, spoiled((await store.get(key)) ?? new Uint8Array()), minute);
      expect(await stored.find({ accountId: 'account' }, 'resp_spoiled')).toBeUndefined();
      expect(await stored.delete({ accountId: 'account' }, 'resp_spoiled')).toBe(true);
    });

    test('that lost a piece cannot be read', async () => {
      const { stored, store, names } = started();
      await stored.keep({ accountId: 'account' }, sized('resp_part', pieceBytes + 1));
      await store.delete([...names].find((each) => each.endsWith(':1')) ?? '');
      expect(await (await stored.find({ accountId: 'account' }, 'resp_part'))?.read()).toBeUndefined();
    });
  });
}
