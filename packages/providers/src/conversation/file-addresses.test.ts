import type { ChatRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { chatProviders } from '../chat-providers.ts';
import { customProvider } from '../custom/custom-provider.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { callOf, vendorOffer } from '../testing/translate.ts';

const withFile = (file_data: string): Partial<ChatRequest> => ({
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Sum up.' },
        { type: 'file', file: { file_data, filename: 'a.pdf' } },
      ],
    },
  ],
});

const refusal = (provider: ChatProvider, file: string, modelName = 'vendor-model') =>
  provider.unsupported?.(callOf(withFile(file), false), vendorOffer(provider, { modelName }));

const page = 'https://example.com/a.pdf';
const custom = customProvider({ id: 'acme', baseUrl: 'https://acme.example', keyVariable: 'ACME' });

test('only some vendors fetch a document, so no other is tried for its address', () => {
  const fetching = [...chatProviders, custom].filter((provider) => refusal(provider, page) === undefined);
  expect(fetching.map(({ id }) => id).toSorted()).toEqual(['acme', 'anthropic', 'mistral', 'openrouter']);
});

const talking = chatProviders.filter(({ hasChats }) => hasChats !== false);

test.each(talking.map((provider) => [provider.id, provider] as const))(
  '%s is tried for a document that is sent inline',
  (_id, provider) => {
    expect(refusal(provider, 'data:application/pdf;base64,JVBERi0xLjQK')).toBeUndefined();
  },
);

test.each([
  ['openai', 'vendor-model', 'HTTP://example.com/a.pdf'],
  ['openai', 'vendor-model', 'gs://bucket/a.pdf'],
  ['anthropic', 'vendor-model', 'gs://bucket/a.pdf'],
  ['aws-bedrock', 'vendor-model', 's3://bucket/a.pdf'],
  ['google', 'gemini-3-pro', page],
  ['google-vertex', 'gemini-3-pro', page],
  ['google-vertex', 'claude-opus-4-8', page],
  ['google-vertex', 'deepseek-ai/deepseek-v3.2-maas', page],
])('%s does not fetch for %s: %s', (id, modelName, address) => {
  const provider = providerOf(id);
  const member = 'messages[1].content[1].file';
  expect(refusal(provider, address, modelName)).toBe(member);
  expect(() => provider.request(callOf(withFile(address)), vendorOffer(provider, { modelName }))).toThrow(
    expect.objectContaining({ code: 'unsupported_capability', param: member }),
  );
});

test.each([
  ['google', 'https://www.youtube.com/watch?v=1'],
  ['google', 'https://generativelanguage.googleapis.com/v1beta/files/1'],
  ['google-vertex', 'gs://bucket/a.pdf'],
])('%s reads its own address %s', (id, address) => {
  expect(refusal(providerOf(id), address, 'gemini-3-pro')).toBeUndefined();
});

function providerOf(id: string): ChatProvider {
  const provider = chatProviders.find((known) => known.id === id);
  if (provider === undefined) throw new Error(`There is no provider ${id}.`);
  return provider;
}
