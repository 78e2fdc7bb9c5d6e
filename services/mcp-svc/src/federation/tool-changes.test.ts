import { openMemoryStore } from '@tallyport/store';
import { expect, test } from 'vitest';
import { createToolChanges } from './tool-changes.ts';

const found = (fingerprint: string) => ({ accountId: 'a', server: { id: 's' }, fingerprint });

test('replicas announce a list that differs from the last one that any of them found', async () => {
  const store = openMemoryStore();
  const announced: string[] = [];
  const replica = () => createToolChanges({ store, announce: ({ fingerprint }) => void announced.push(fingerprint) });
  const [one, two] = [replica(), replica()];
  await one(found('x'));
  await two(found('x'));
  await two(found('y'));
  await one(found('y'));
  await one(found('x'));
  await one({ ...found('z'), server: { id: 'another' } });
  expect(announced).toEqual(['y', 'x']);
  await store.close();
});

test('without the store nothing is announced', async () => {
  const store = openMemoryStore();
  await store.close();
  const announced: string[] = [];
  const report = createToolChanges({ store, announce: ({ fingerprint }) => void announced.push(fingerprint) });
  await report(found('x'));
  await report(found('y'));
  expect(announced).toEqual([]);
});
