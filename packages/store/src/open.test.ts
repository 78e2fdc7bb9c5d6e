import { expect, test } from 'vitest';
import { openStore } from './open.ts';

test('opens an in-memory store without a URL', async () => {
  const store = await openStore();
  expect(store.state()).toEqual({ connected: true });
  await store.close();
});

test.each([
  '',
  'localhost',
  'http://localhost',
  'redis://',
  'redis://:secret@host/name',
  'redis://:secret@host:99999',
  'redis+cluster://:secret@host:6379/1',
])('refuses %j without repeating it', async (url) => {
  const opening = openStore({ url });
  await expect(opening).rejects.toThrow(TypeError);
  await expect(opening).rejects.not.toThrow(/secret/);
});
