import { randomUUID } from 'node:crypto';
import { createByteQuota, pieceBytes, type Store } from '@tallyport/store';
import { describe, expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { type Claim, createStoredAnswers } from './stored-answers.ts';

const minute = 60_000;
const megabytes = 1024 ** 2;

/** A body whose bytes depend on their positions. */
const bodyOf = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31 + at / 97) % 251));
const entryOf = (length: number): Entry => ({ form: 'document', provider: 'one', body: bodyOf(length) });

/** Makes the body of a claim cheap to compare, however large it is. */
const comparable = (claim: Claim) =>
  claim.kind === 'found' ? { ...claim, entry: { ...claim.entry, body: claim.entry.body.toString('latin1') } } : claim;

/** The same store, with the names of all values that were ever set. */
function recordingNames(store: Store): { store: Store; names: Set<string> } {
  const names = new Set<string>();
  const set: Store['set'] = (name, ...rest) => {
    names.add(name);
    return store.set(name, ...rest);
  };
  return { store: { ...store, set }, names };
}

/** Stored answers must behave the same in Redis and in memory. */
export function storedAnswersSuite(name: string, open: () => Store): void {
  const started = () => {
    const { store, names } = recordingNames(open());
    const quota = createByteQuota({ store, name: `${name} ${randomUUID()}`, maxBytes: 8 * megabytes });
    let broken = 0;
    const stored = createStoredAnswers({ store, quota, onBroken: () => (broken += 1) });
    const keep = (key: string, entry: Entry, holder = 'account') =>
      stored.keep(key, { entry, holder, ttlMs: minute, lease: undefined });
    return { store, names, stored, keep, broken: () => broken };
  };

  describe(`${name}: an answer that is kept`, () => {
    test.each([1, pieceBytes, pieceBytes + 1, 3 * pieceBytes, 3 * pieceBytes + 7])(
      'of %i bytes is found complete',
      async (length) => {
        const { stored, keep } = started();
        const key = `whole ${length}`;
        await keep(key, entryOf(length));
        expect(comparable(await stored.claim(key, 4 * megabytes))).toEqual(
          comparable({ kind: 'found', entry: entryOf(length) }),
        );
      },
    );

    test("counts towards its account's quota without affecting other accounts", async () => {
      const { stored, keep } = started();
      const entry = entryOf(4 * megabytes - 512);
      for (const key of ['first', 'second', 'third']) await keep(`quota ${key}`, entry);
      await keep('quota another', entry, 'another');
      const kinds = [];
      for (const key of ['first', 'second', 'third', 'another']) {
        const claim = await stored.claim(`quota ${key}`, 4 * megabytes);
        kinds.push(claim.kind);
        if (claim.kind === 'ours') claim.lease.giveBack();
      }
      expect(kinds).toEqual(['found', 'found', 'ours', 'found']);
    });

    test('replaces its lease, and a lease without an answer can be given back', async () => {
      const { stored } = started();
      const claim = await stored.claim('lease', megabytes);
      expect([claim.kind, (await stored.claim('lease', megabytes)).kind]).toEqual(['ours', 'theirs']);
      const lease = claim.kind === 'ours' ? claim.lease : undefined;
      await stored.keep('lease', { holder: 'account', entry: entryOf(pieceBytes + 1), ttlMs: minute, lease });
      expect(comparable(await stored.claim('lease', megabytes))).toEqual(
        comparable({ kind: 'found', entry: entryOf(pieceBytes + 1) }),
      );
    });

    test.each([10, pieceBytes + 10])('of %i bytes counts as broken if fewer are allowed', async (length) => {
      const { stored, keep, broken } = started();
      const key = `allowed ${length}`;
      await keep(key, entryOf(length));
      expect([(await stored.claim(key, length)).kind, broken()]).toEqual(['found', 0]);
      expect([(await stored.claim(key, length - 1)).kind, broken()]).toEqual(['ours', 1]);
      expect((await stored.claim(key, length)).kind).toBe('theirs');
    });

    test.each<[string, (bytes: Uint8Array) => Uint8Array | undefined]>([
      ['missing', () => undefined],
      ['cut off', (bytes) => bytes.subarray(1)],
      ['changed', (bytes) => bytes.toReversed()],
    ])('is dropped with all its pieces, counted and claimed again if one of them is %s', async (what, spoiled) => {
      const { store, names, stored, keep, broken } = started();
      const key = `piece ${what}`;
      await keep(key, entryOf(2 * pieceBytes + 5));
      expect(names.size).toBe(4);
      const piece = [...names].find((each) => each.endsWith(':1')) ?? '';
      const bytes = spoiled((await store.get(piece)) ?? new Uint8Array());
      await (bytes ? store.set(piece, bytes, minute) : store.delete(piece));
      expect([(await stored.claim(key, 4 * megabytes)).kind, broken()]).toEqual(['ours', 1]);
      const pieces = [...names].filter((each) => each !== `answer:${key}`);
      const left = () => Promise.all(pieces.map((each) => store.get(each)));
      await expect.poll(left).toEqual([undefined, undefined, undefined]);
    });
  });
}
