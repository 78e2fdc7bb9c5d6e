import type { Model } from '@tallyport/contracts';
import { imageModel } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ClientAnswer,
  type ChatBench,
  eventsIn,
  sharedModelEntry,
  startChatBench,
} from '../testing/chat-bench.ts';

function painter(): Model {
  const { offers, ...shared } = sharedModelEntry();
  const painted = offers.map((offer) => ({ ...offer, modelName: imageModel, pricing: { image: '0.02' } }));
  return { ...shared, id: imageModel, aliases: [], outputModalities: ['image'], offers: painted };
}

const start = (environment: Record<string, string>): Promise<ChatBench> =>
  startChatBench({
    environment: { CACHE_TTL_SECONDS: '60', ...environment },
    catalogue: { version: '1', models: [painter()] },
  });

let bench: ChatBench;
beforeAll(async () => {
  bench = await start({ CACHE_IMAGES: 'true' });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let sequence = 0;
const principal = { accountId: 'account', keyId: 'key' };
const newChat = (changes: object = {}) => ({
  model: imageModel,
  messages: [{ role: 'user', content: `A fox, ${(sequence += 1)}` }],
  ...changes,
});
const cacheOf = ({ headers }: ClientAnswer): string | undefined => headers['x-tallyport-cache'];
const calls = (): number => bench.simulator.requests.length;
const ask = (body: object, at = bench): Promise<ClientAnswer> => at.ask(body, { principal });
const imagesOf = ({ text }: ClientAnswer) => JSON.parse(text).choices[0].message.images;
const imagesIn = ({ text }: ClientAnswer) =>
  eventsIn(text)
    .filter((event) => event.startsWith('{'))
    .flatMap((event) => JSON.parse(event).choices[0]?.delta.images ?? []);

describe('chats with a model that makes only images', () => {
  test('are cached and answered again at no cost, in either form', async () => {
    const chat = newChat();
    const first = await ask(chat);
    const again = await ask(chat);
    const streamed = await ask({ ...chat, stream: true });
    expect([[first, again, streamed].map(cacheOf), calls()]).toEqual([['MISS', 'HIT', 'HIT'], 1]);
    const [one, other] = [JSON.parse(first.text), JSON.parse(again.text)];
    const { not_tried: _left, ...metadata } = one.metadata;
    expect(other).toEqual({
      ...one,
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      usage: { ...one.usage, cost: 0 },
      metadata: { ...metadata, cached: true, routing: [] },
    });
    expect(imagesIn(streamed)).toEqual(imagesOf(first));
    expect(streamed.text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('are cached from a stream', async () => {
    const chat = newChat();
    const first = await ask({ ...chat, stream: true });
    const again = await ask(chat);
    expect([[first, again].map(cacheOf), calls()]).toEqual([['MISS', 'HIT'], 1]);
    expect(imagesOf(again)).toEqual(imagesIn(first));
  });

  test('are made once for concurrent requests in either form, and continue when the first client leaves', async () => {
    bench.simulator.faults.set({ provider: bench.providers[0] ?? '', fault: 'slow-first-byte:300' });
    const chat = newChat();
    const leaving = new AbortController();
    const first = bench.ask(chat, { principal, signal: leaving.signal });
    await expect.poll(calls, { interval: 2 }).toBe(1);
    const others = Promise.all([ask(chat), ask({ ...chat, stream: true }), ask(chat)]);
    await bench.explain(chat);
    leaving.abort();
    await first.catch(() => {});
    expect([(await others).map(cacheOf), calls()]).toEqual([['HIT', 'HIT', 'HIT'], 1]);
  });

  test('leave a record that says so and costs nothing', async () => {
    const chat = newChat();
    await ask(chat);
    await ask(chat);
    await expect
      .poll(() => bench.usage.at(-1))
      .toMatchObject({ cached: true, cost: '0', images: 0, operation: 'chat' });
  });

  test('are not cached unless the operator enables it', async () => {
    const without = await start({});
    const chat = newChat();
    expect([await ask(chat, without), await ask(chat, without)].map(cacheOf)).toEqual(['BYPASS', 'BYPASS']);
    await without.close();
  });
});

test('are cached up to the size limit', async () => {
  const chat = newChat();
  const { text } = await ask(chat);
  const { length } = Buffer.from(text);
  const results = [];
  // The figures in an answer vary in their number of digits.
  for (const limit of [length + 100, length - 100]) {
    const small = await start({ CACHE_IMAGES: 'true', CACHE_IMAGES_MAX_BYTES: String(limit) });
    results.push([await ask(chat, small), await ask(chat, small)].map(cacheOf));
    await small.close();
  }
  expect(results).toEqual([
    ['MISS', 'HIT'],
    ['MISS', 'MISS'],
  ]);
});
