import type { Principal } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const provider = 'openai';
const modelOf = (modelName: string, modality: string, pricing: Record<string, string>) =>
  sharedModelEntry({
    id: modelName,
    aliases: [],
    outputModalities: [modality],
    offers: [offerOf(provider, { modelName, pricing })],
  });

let bench: ChatBench;
beforeAll(async () => {
  const models = [
    modelOf('sandbox-chat', 'text', { prompt: '0.001', completion: '0.002' }),
    modelOf('sandbox-embedding', 'embeddings', { prompt: '0.001' }),
    modelOf('sandbox-moderation', 'moderations', { prompt: '0.001' }),
    modelOf('gpt-4o-mini-tts', 'speech', { character: '0.001' }),
    modelOf('gpt-image-1', 'image', { image: '0.02' }),
  ];
  bench = await startChatBench({
    catalogue: { version: '1', models },
    environment: ({ baseUrl }) => ({ OPENAI_BASE_URL: baseUrl(provider), OPENAI_API_KEY: 'service' }),
    providerKeys: async () => [{ id: 'own', provider, key: 'own' }],
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

/** Less than any of the requests costs. */
const budgets = { key: { amount: '0.000001', period: 'total' } } as const;
const principalOf = (providerKeys: Principal['providerKeys'], changes: Partial<Principal> = {}): Principal => ({
  accountId: `account with ${providerKeys}`,
  keyId: `key with ${providerKeys}`,
  providerKeys,
  budgets,
  ...changes,
});

const messages = [{ role: 'user', content: 'Hello' }];
const chat = { model: 'sandbox-chat', messages };
type Endpoint = (options: AskOptions) => ReturnType<ChatBench['ask']>;
const endpoints: [string, Endpoint][] = [
  ['a chat', (options) => bench.ask(chat, options)],
  ['a streamed chat', (options) => bench.ask({ ...chat, stream: true }, options)],
  ['an image in a chat', (options) => bench.ask({ model: 'gpt-image-1', messages }, options)],
  ['embeddings', (options) => bench.embed({ model: 'sandbox-embedding', input: 'Hello' }, options)],
  ['a moderation', (options) => bench.moderate({ model: 'sandbox-moderation', input: 'Hello' }, options)],
  ['speech', (options) => bench.speak({ model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'alloy' }, options)],
];

describe.each(endpoints)('a budget that is smaller than the estimate of %s', (requestId, ask) => {
  test("allows it with only the account's own keys, which the account pays itself", async () => {
    const { status } = await ask({ principal: principalOf('own_only'), requestId });
    expect([status, bench.simulator.requests.map(({ headers }) => headers.authorization)]).toEqual([
      200,
      ['Bearer own'],
    ]);
    const records = () => bench.usage.filter((record) => record.requestId === requestId);
    await expect.poll(records).toMatchObject([{ ownKey: true, endReason: 'done' }]);
    expect(Number(records()[0]?.cost)).toBeGreaterThan(0);
  });

  test("refuses it with the account's own keys first, because the service's key is next", async () => {
    const { status, text } = await ask({ principal: principalOf('own_first') });
    expect([status, JSON.parse(text).error.code]).toEqual([402, 'budget_exceeded']);
    expect(bench.simulator.requests).toEqual([]);
  });
});

test("a limit on tokens holds with only the account's own keys", async () => {
  const principal = principalOf('own_only', { keyId: 'limited', tokensPerMinute: { key: 1_000 } });
  const first = await bench.ask({ ...chat, max_tokens: 990 }, { principal });
  expect([first.status, first.headers['x-ratelimit-limit-tokens']]).toEqual([200, '1000']);
  const second = await bench.ask({ ...chat, max_tokens: 1_000 }, { principal });
  expect([second.status, JSON.parse(second.text).error.code]).toEqual([429, 'rate_limit_exceeded']);
});
