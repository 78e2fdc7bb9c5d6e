import { openMemoryStore } from '@tallyport/store';
import { expect, test } from 'vitest';
import { createComparisonTurns } from './comparison-turns.ts';

const conflict = { code: 'conflict' };

/** Work that ends when `end` is called. */
function waiting() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, end: () => resolve('done') };
}

test('an account compares one bill at a time, on all replicas', async () => {
  const store = openMemoryStore();
  const [turns, ofOtherReplica] = [createComparisonTurns(store), createComparisonTurns(store)];
  const { work, end } = waiting();
  const first = turns('one', work);
  await expect(turns('one', work)).rejects.toMatchObject(conflict);
  await expect(ofOtherReplica('one', work)).rejects.toMatchObject(conflict);
  expect(await turns('two', async () => 'other account')).toBe('other account');
  end();
  expect(await first).toBe('done');
  expect(await ofOtherReplica('one', async () => 'next')).toBe('next');
});

test('a failed comparison ends its turn', async () => {
  const turns = createComparisonTurns(openMemoryStore());
  await expect(turns('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns('one', async () => 'next')).toBe('next');
});

test('without the store, each replica allows one', async () => {
  const away = { setIfAbsent: async () => 'unknown' as const, deleteIfEqual: async () => undefined };
  const turns = createComparisonTurns(away);
  const { work, end } = waiting();
  const first = turns('one', work);
  await expect(turns('one', work)).rejects.toMatchObject(conflict);
  end();
  expect(await first).toBe('done');
});
