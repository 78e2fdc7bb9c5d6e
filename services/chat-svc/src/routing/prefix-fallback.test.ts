import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'account', keyId: 'key' };
const anyFailure: AskOptions = { headers: { 'x-fallback': 'any-failure' }, principal };
const entry = sharedModelEntry();
const { id: model } = entry;
const embedder = sharedModelEntry({
  id: 'sandbox-embedding',
  aliases: [],
  outputModalities: ['embeddings'],
  offers: entry.offers.map((offer) => ({ ...offer, modelName: 'sandbox-embedding' })),
});

let bench: ChatBench;
let first: string;
let second: string;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [entry, embedder] },
    environment: { CACHE_TTL_SECONDS: '60' },
  });
  [first = '', second = ''] = bench.providers;
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let sequence = 0;
/** A chat with the first provider as prefix, like no earlier one. */
const chat = (changes: object = {}) => ({
  model: `${first}/${model}`,
  messages: [{ role: 'user', content: `Hi ${(sequence += 1)}` }],
  ...changes,
});
const failOnce = () => bench.simulator.faults.set({ provider: first, fault: 'status:500', times: 1 });

describe('a prefixed model whose provider fails once', () => {
  test('fails by default', async () => {
    failOnce();
    expect((await bench.ask(chat(), { principal })).error).toMatchObject({ code: 'all_providers_failed', status: 502 });
  });

  test('is answered by another provider on request', async () => {
    failOnce();
    const { status, text } = await bench.ask(chat(), anyFailure);
    expect([status, JSON.parse(text).metadata]).toEqual([
      200,
      expect.objectContaining({
        requested_provider: first,
        used_provider: second,
        failover: `answered by ${second} after ${first} failed`,
      }),
    ]);
  });

  test('is streamed by another provider on request', async () => {
    failOnce();
    const { headers, text } = await bench.ask(chat({ stream: true }), anyFailure);
    expect([headers['x-tallyport-provider'], text.endsWith('data: [DONE]\n\n')]).toEqual([second, true]);
  });

  test('is embedded by another provider on request', async () => {
    failOnce();
    const { headers } = await bench.embed({ model: `${first}/${embedder.id}`, input: 'Hi' }, anyFailure);
    expect(headers['x-tallyport-provider']).toBe(second);
  });

  test('fails if the client also forbids other providers', async () => {
    failOnce();
    const headers = { ...anyFailure.headers, 'x-no-fallback': 'true' };
    expect((await bench.ask(chat(), { headers, principal })).error).toMatchObject({ status: 502 });
  });

  test('does not leave its answer of another provider to clients that did not ask for it', async () => {
    failOnce();
    const body = chat();
    const moved = await bench.ask(body, anyFailure);
    const again = await bench.ask(body, anyFailure);
    const other = await bench.ask(body, { principal });
    const of = ({ headers }: typeof moved) => [headers['x-tallyport-provider'], headers['x-tallyport-cache']];
    expect([moved, again, other].map(of)).toEqual([
      [second, 'MISS'],
      [second, 'HIT'],
      [first, 'MISS'],
    ]);
  });
});

test('explain shows the other providers behind the requested one', async () => {
  const { text } = await bench.explain(chat(), anyFailure);
  const { candidates, excluded } = JSON.parse(text);
  const reasons = candidates.map(({ provider, reason }: { provider: string; reason: string }) => [provider, reason]);
  expect([reasons, excluded]).toEqual([
    bench.providers.map((provider, at) => [provider, at === 0 ? 'pinned' : 'fallback']),
    [],
  ]);
});

test('an unknown value of X-Fallback is refused', async () => {
  const { error } = await bench.ask(chat(), { headers: { 'x-fallback': 'always' } });
  expect(error).toMatchObject({
    code: 'invalid_parameters',
    status: 400,
    message: 'The header X-Fallback must be `unhealthy` or `any-failure`.',
  });
});

describe('with ROUTING_PREFIX_FALLBACK=any-failure', () => {
  let moving: ChatBench;
  beforeAll(async () => {
    moving = await startChatBench({ environment: { ROUTING_PREFIX_FALLBACK: 'any-failure' } });
  });
  afterAll(() => moving.close());

  test.each<[string, AskOptions, number]>([
    ['a single failure moves a prefixed model', {}, 200],
    ['a client can ask for the usual rule', { headers: { 'x-fallback': 'unhealthy' } }, 502],
  ])('%s', async (_, options, status) => {
    moving.simulator.faults.set({ provider: first, fault: 'status:500', times: 1 });
    const answer = await moving.ask(chat(), options);
    expect(answer.error?.status ?? answer.status).toBe(status);
  });
});
