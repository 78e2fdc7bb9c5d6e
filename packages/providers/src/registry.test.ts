import { expect, test } from 'vitest';
import { providerSuite } from './provider.suite.ts';
import { chatProviders, findChatProvider } from './registry.ts';

for (const provider of chatProviders) providerSuite(provider);

test('the registry is in alphabetical order and every id is there once', () => {
  const ids = chatProviders.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

test('a provider is found by its id', () => {
  for (const provider of chatProviders) expect(findChatProvider(provider.id)).toBe(provider);
  expect(findChatProvider('nobody')).toBeUndefined();
});
