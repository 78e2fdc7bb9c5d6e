import { expect, test } from 'vitest';
import { createMemorySets } from './memory-sets.ts';

const minute = 60_000;

test('keeps a bounded number of members of all sets together', async () => {
  const sets = createMemorySets(() => false, 6);
  const admit = (key: string, member: string, most = 3) => sets.admit(key, { member, most, ttlMs: minute });
  for (const key of ['old', 'new']) for (const member of ['a', 'b', 'c']) await admit(key, member);
  expect([await admit('old', 'd'), await admit('new', 'd')]).toEqual([false, false]);
  await admit('third', 'a');
  expect([await admit('new', 'd'), await admit('old', 'd')]).toEqual([false, true]);
});
