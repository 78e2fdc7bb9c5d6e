import { expect, test } from 'vitest';
import { chatProviders, findChatProvider, providersWith } from './chat-providers.ts';
import { providerSuite } from './provider.suite.ts';

for (const provider of chatProviders) providerSuite(provider);

test('the registry is in alphabetical order and ids are unique', () => {
  const ids = chatProviders.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

test('a provider is found by its id', () => {
  for (const provider of chatProviders) expect(findChatProvider(provider.id)).toBe(provider);
  expect(findChatProvider('nobody')).toBeUndefined();
});

test('the SDKs of these vendors add the version to a base URL', () => {
  const adding = chatProviders.filter(({ sdkAddsVersion }) => sdkAddsVersion).map(({ id }) => id);
  expect(adding).toEqual(['anthropic', 'cerebras', 'fireworks', 'google', 'groq', 'mistral', 'ollama']);
});

test('configured providers are added and replace no built-in one', () => {
  const custom = (id: string) => ({ id, baseUrl: 'https://a.example', keyVariable: 'OWN' });
  const { all, find } = providersWith([custom('own'), custom('openai')]);
  expect(all.map(({ id }) => id)).toEqual([...chatProviders.map(({ id }) => id), 'own']);
  expect(find('own')?.baseUrl).toBe('https://a.example');
  expect(find('openai')).toBe(findChatProvider('openai'));
  expect(find('nobody')).toBeUndefined();
});
