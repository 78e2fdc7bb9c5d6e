import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type AskOptions,
  type ClientAnswer,
  type ChatBench,
  eventsIn,
  sharedModelEntry,
  startChatBench,
} from '../testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  const models = [sharedModelEntry(), sharedModelEntry({ id: 'uncached', aliases: [], cached: false })];
  bench = await startChatBench({
    environment: { CACHE_TTL_SECONDS: '60' },
    chunksPerSecond: 200,
    catalogue: { version: '1', models },
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let sequence = 0;
const principal = { accountId: 'account', keyId: 'key' };
/** A new question for each test. */
const newChat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: `Question ${(sequence += 1)}` }],
  ...changes,
});
const ask = (body: object, options: AskOptions = {}): Promise<ClientAnswer> =>
  bench.ask(body, { principal, ...options });
const cacheOf = ({ headers }: ClientAnswer): string | undefined => headers['x-tallyport-cache'];
const calls = (): number => bench.simulator.requests.length;
const chunksIn = ({ text }: ClientAnswer) =>
  eventsIn(text)
    .filter((event) => event.startsWith('{'))
    .map((event) => JSON.parse(event));
const contentOf = (answer: ClientAnswer): string =>
  chunksIn(answer)
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');

describe('a repeated question', () => {
  test('gets the same answer, marked as cached, free, and with its own ids', async () => {
    const chat = newChat();
    const first = await ask(chat, { requestId: 'req_1' });
    const again = await ask(chat, { requestId: 'req_2' });
    expect([cacheOf(first), cacheOf(again), calls()]).toEqual(['MISS', 'HIT', 1]);
    const [one, other] = [JSON.parse(first.text), JSON.parse(again.text)];
    const { not_tried: left, ...metadata } = one.metadata;
    expect(left).toHaveLength(2);
    expect(other).toEqual({
      ...one,
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      usage: { ...one.usage, cost: 0 },
      metadata: { ...metadata, request_id: 'req_2', cached: true, routing: [] },
    });
    expect(other.id).not.toBe(one.id);
    expect(again.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(again.text)),
      'x-tallyport-provider': first.headers['x-tallyport-provider'],
      'x-tallyport-model': first.headers['x-tallyport-model'],
      'x-tallyport-attempts': '0',
      'x-tallyport-cache': 'HIT',
      'server-timing': expect.stringMatching(/^plan;dur=[\d.]+, upstream;dur=0\.0$/),
    });
  });

  test('gets an answer of its own from a model that is never cached', async () => {
    const chat = newChat({ model: 'uncached' });
    expect([cacheOf(await ask(chat)), cacheOf(await ask(chat)), calls()]).toEqual(['BYPASS', 'BYPASS', 2]);
  });

  test('is streamed from an answer that was not streamed', async () => {
    const chat = newChat();
    const first = await ask(chat);
    const again = await ask({ ...chat, stream: true, stream_options: { include_usage: true } });
    expect([cacheOf(again), calls()]).toEqual(['HIT', 1]);
    const whole = JSON.parse(first.text);
    expect(contentOf(again)).toBe(whole.choices[0].message.content);
    expect(chunksIn(again).at(-1)).toMatchObject({ choices: [], usage: { ...whole.usage, cost: 0 } });
    expect(chunksIn(again).at(-2)).toMatchObject({ usage: null, metadata: { cached: true, routing: [] } });
    expect(eventsIn(again.text).at(-1)).toBe('[DONE]');
  });

  test('is answered in one piece from a stream, with usage that the first client did not request', async () => {
    const chat = newChat();
    const first = await ask({ ...chat, stream: true });
    const again = await ask(chat);
    expect([cacheOf(first), cacheOf(again), calls()]).toEqual(['MISS', 'HIT', 1]);
    const whole = JSON.parse(again.text);
    expect(whole.choices[0].message.content).toBe(contentOf(first));
    expect(whole.usage).toMatchObject({ prompt_tokens: expect.any(Number), cost: 0 });
    expect(whole.metadata).toMatchObject({ cached: true });
  });
});

describe('concurrent equal questions', () => {
  test('a hundred not streamed make one call', async () => {
    const chat = newChat();
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(chat)));
    expect(calls()).toBe(1);
    expect(answers.map(cacheOf).filter((cache) => cache === 'MISS')).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => JSON.parse(text).id)).size).toBe(100);
    expect(new Set(answers.map(({ text }) => JSON.parse(text).choices[0].message.content)).size).toBe(1);
  });

  test('a hundred streams make one call', async () => {
    const chat = newChat({ stream: true });
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(chat)));
    expect(calls()).toBe(1);
    expect(new Set(answers.map(contentOf)).size).toBe(1);
    expect(answers.every(({ text }) => text.endsWith('data: [DONE]\n\n'))).toBe(true);
  });
});
