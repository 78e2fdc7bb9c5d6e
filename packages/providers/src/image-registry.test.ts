import { expect, test } from 'vitest';
import { customImageProvider } from './custom/custom-image-provider.ts';
import { imageProviderSuite } from './image-provider.suite.ts';
import { findImageProvider, imageProviders, imageProvidersWith } from './image-registry.ts';
import { findChatProvider } from './chat-providers.ts';

const custom = (id: string) => ({ id, baseUrl: 'https://a.example/v1', keyVariable: 'OWN' });

for (const provider of [...imageProviders, customImageProvider(custom('own'))]) imageProviderSuite(provider);

test('the registry is in alphabetical order and ids are unique', () => {
  const ids = imageProviders.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

test('every image provider shares its key with the chat provider of the same id', () => {
  for (const { id, auth, keyVariable, settings } of imageProviders) {
    expect({ id, auth, keyVariable, settings }).toEqual({
      id,
      auth: findChatProvider(id)?.auth,
      keyVariable: findChatProvider(id)?.keyVariable,
      settings: findChatProvider(id)?.settings,
    });
  }
});

test('configured providers are added and replace no built-in one', () => {
  const { all, find } = imageProvidersWith([custom('own'), custom('openai')]);
  expect(all.map(({ id }) => id)).toEqual([...imageProviders.map(({ id }) => id), 'own']);
  expect(find('own')?.baseUrl).toBe('https://a.example/v1');
  expect(find('openai')).toBe(findImageProvider('openai'));
  expect(find('nobody')).toBeUndefined();
});
