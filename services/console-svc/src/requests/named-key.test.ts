import type { CallOperation } from '@tallyport/management';
import { expect, test } from 'vitest';
import { fieldOfKey, findKeyId, findNamedKey } from './named-key.ts';

const known = [
  { id: 'key_new', name: 'Nightly' },
  { id: 'key_old', name: 'nightly' },
];

/** Keys that only a search finds. */
const stored = [
  { id: 'key_far', name: 'Far away' },
  { id: 'key_part', name: 'Far away, too' },
];

/** Answers with the stored keys, and notes what was asked. */
function recorded() {
  const asked: object[] = [];
  const ask = (async (_name: string, input: { ids?: string; search?: string }) => {
    asked.push(input);
    const { ids = '', search = '' } = input;
    const isFound = ({ id, name }: { id: string; name: string }) =>
      ids === id || (search !== '' && name.toLowerCase().includes(search.toLowerCase()));
    return { keys: stored.filter(isFound) };
  }) as CallOperation;
  const caller = { accountId: 'a', role: 'admin', operator: false } as const;
  return { ask, caller, asked };
}

async function find(text: string) {
  const { asked, ...request } = recorded();
  return { key: await findNamedKey(request, text, known), asked: asked.length };
}

test.each([
  ['key_old', { id: 'key_old', name: 'nightly' }, 0],
  ['NIGHTLY', { id: 'key_new', name: 'Nightly' }, 0],
  ['far away', { id: 'key_far', name: 'Far away' }, 1],
  ['key_part', { id: 'key_part', name: 'Far away, too' }, 2],
  ['deleted', { id: 'deleted', name: 'deleted' }, 2],
  ['x'.repeat(500), { id: 'x'.repeat(500), name: 'x'.repeat(500) }, 1],
])('the key of %s is found', async (text, key, asked) => {
  expect(await find(text)).toEqual({ key, asked });
});

test.each([
  ['far away', 'key_far', 1],
  ['key_part', 'key_part', 1],
  ['deleted', 'deleted', 1],
  ['x'.repeat(500), 'x'.repeat(500), 0],
])('the id of %s is found without its name', async (text, id, asked) => {
  const request = recorded();
  expect([await findKeyId(request, text), request.asked.length]).toEqual([id, asked]);
});

test('the field has the name of a key, unless a newer one has the same', () => {
  expect(known.map((key) => fieldOfKey(key, known))).toEqual(['Nightly', 'key_old']);
  expect(fieldOfKey({ id: 'deleted', name: 'deleted' }, known)).toBe('deleted');
});
