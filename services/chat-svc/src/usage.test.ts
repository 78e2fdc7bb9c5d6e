import { noTokens, planOfText, type UsageRecord } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, eventsIn, sharedModelEntry, startChatBench } from './testing/chat-bench.ts';

let bench: ChatBench;
let first: string;
let second: string;

/** Expensive enough that every part of a short answer shows in its price. */
const pricing = { prompt: '0.001', completion: '0.01', input_cache_read: '0.0001' };

beforeAll(async () => {
  const model = sharedModelEntry();
  const offers = model.offers.map((offer) => ({ ...offer, pricing }));
  const catalogue = { version: 'prices-1', models: [{ ...model, offers }] };
  bench = await startChatBench({ catalogue, environment: { CACHE_TTL_SECONDS: '60' } });
  [first = '', second = ''] = bench.providers;
});
beforeEach(() => void bench.usage.splice(0));
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let questions = 0;
/** A new question, so that nothing is answered from the cache. */
const chat = (changes: object = {}) => ({
  model: 'shared',
  messages: [{ role: 'user', content: `Hello ${(questions += 1)} [words:12]` }],
  ...changes,
});
const principal = { accountId: 'acc', keyId: 'key' };
const ask = (body: object, options = {}) => bench.ask(body, { principal, ...options });
const recorded = async (count = 1): Promise<UsageRecord[]> => {
  await expect.poll(() => bench.usage.length).toBe(count);
  return bench.usage;
};

/** Whole numbers, which can be added without an error. */
const inMicroseconds = (milliseconds = NaN): number => Math.round(milliseconds * 1000);

const costOf = ({ prompt_tokens: prompt, completion_tokens: completion }: Record<string, number>): string =>
  String(((prompt ?? 0) + (completion ?? 0) * 10) / 1000);

describe('a chat leaves one record', () => {
  test('with what the tokens from the prompt cache would have cost more', async () => {
    await ask(chat({ messages: [{ role: 'user', content: 'Hello [cached]' }] }));
    const [record] = await recorded();
    const { cacheRead = 0 } = record?.tokens ?? {};
    expect(cacheRead).toBeGreaterThan(0);
    expect(record?.promptCacheSavings).toBe(String((9 * cacheRead) / 10_000));
  });

  test('with all its details, before its answer has ended', async () => {
    const { text } = await ask(chat());
    const { usage } = JSON.parse(text);
    const [record] = bench.usage.length > 0 ? bench.usage : await recorded();
    expect(record).toEqual({
      id: expect.stringMatching(/^use_[0-9a-f]{32}$/),
      requestId: 'req_test',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      ...principal,
      operation: 'chat',
      requestedModel: 'shared',
      model: 'sandbox-chat',
      provider: first,
      attempts: [
        {
          provider: first,
          status: 200,
          error: 'none',
          ms: expect.any(Number),
          startMs: expect.any(Number),
          reason: expect.stringMatching(/^(score|tie)$/),
          score: expect.any(Number),
        },
      ],
      tokens: { ...noTokens, input: usage.prompt_tokens, output: usage.completion_tokens },
      images: 0,
      cost: costOf(usage),
      costs: { input: expect.any(String), output: expect.any(String) },
      priceVersion: 'prices-1',
      source: 'reported',
      flags: [],
      ownKey: false,
      cached: false,
      stream: false,
      durationMs: expect.any(Number),
      firstByteMs: expect.any(Number),
      endReason: 'done',
      status: 200,
      details: { planMs: expect.any(Number), cache: 'miss', offers: expect.any(String) },
    });
    expect(usage.cost).toBe(Number(record?.cost));
  });

  test('when streamed, with the same cost as in its usage chunk', async () => {
    const { text } = await ask(chat({ stream: true, stream_options: { include_usage: true } }));
    const usage = JSON.parse(eventsIn(text).findLast((event) => event.includes('"usage":{')) ?? '').usage;
    const [record] = await recorded();
    expect(record).toMatchObject({ stream: true, endReason: 'done', source: 'reported', cost: costOf(usage) });
    expect(usage.cost).toBe(Number(record?.cost));
  });

  test('after a failover, with both attempts, paying for one', async () => {
    bench.simulator.faults.set({ provider: first, fault: 'status:500' });
    const { text } = await ask(chat());
    const [record] = await recorded();
    expect(record?.attempts.map(({ provider, status }) => [provider, status])).toEqual([
      [first, 500],
      [second, 200],
    ]);
    expect(record).toMatchObject({ provider: second, cost: costOf(JSON.parse(text).usage) });
  });

  test('after a failover, with the reason, score and start of each attempt', async () => {
    bench.simulator.faults.set({ provider: first, fault: 'status:500' });
    await ask(chat());
    const [record] = await recorded();
    const [failed, served] = record?.attempts ?? [];
    expect(failed).toMatchObject({ error: 'provider_server_error', score: expect.any(Number) });
    expect(served).toMatchObject({ error: 'none', reason: 'score', score: expect.any(Number) });
    const failedAt = inMicroseconds(failed?.startMs) + inMicroseconds(failed?.ms);
    expect(inMicroseconds(served?.startMs)).toBeGreaterThanOrEqual(failedAt);
    expect(record).toMatchObject({ status: 200 });
    expect(record).not.toHaveProperty('error');
  });

  test('answered by its first offer, with all of its offers and the factors of their scores', async () => {
    await ask(chat());
    const [record] = await recorded();
    expect(record?.attempts).toHaveLength(1);
    const factors = { uptime: { value: expect.any(Number), ratio: expect.any(Number), weight: expect.any(Number) } };
    expect(planOfText(record?.details?.offers)).toEqual({
      mostAttempts: 3,
      offers: bench.providers.map((provider) => ({
        provider,
        reason: 'score',
        score: expect.any(Number),
        factors: expect.objectContaining(factors),
      })),
    });
  });

  test('with what its limit of tokens had left', async () => {
    await ask(chat(), { principal: { ...principal, tokensPerMinute: { key: 1_000_000 } } });
    const [record] = await recorded();
    expect(record?.details).toMatchObject({ cache: 'miss', tokenLimit: 1_000_000 });
    expect(record?.details?.tokensLeft).toBeLessThan(1_000_000);
  });

  test('of less than 800 bytes after three attempts, with the members of attempts and details, and its offers of 400', async () => {
    bench.simulator.faults.set({ fault: 'status:500' });
    await ask(chat());
    const [record] = await recorded();
    expect(record?.attempts).toHaveLength(3);
    const { offers = '', ...details } = record?.details ?? {};
    expect(JSON.stringify([record?.attempts, details]).length).toBeLessThan(800);
    expect(planOfText(offers)?.offers).toHaveLength(3);
    expect(offers.length).toBeLessThan(400);
  });

  test('when all providers failed, at no cost', async () => {
    bench.simulator.faults.set({ fault: 'status:500' });
    expect((await ask(chat())).status).toBe(502);
    const [record] = await recorded();
    expect(record).toMatchObject({ cost: '0', source: 'none', endReason: 'error', tokens: { input: 0, output: 0 } });
    expect(record).toMatchObject({ status: 502, error: 'all_providers_failed' });
    expect(record?.attempts).toHaveLength(3);
    expect(record).not.toHaveProperty('provider');
  });

  test('when its provider breaks off, for what was delivered, as an estimate', async () => {
    bench.simulator.faults.set({ provider: first, fault: 'cut:1500' });
    await ask(chat({ stream: true }));
    const [record] = await recorded();
    expect(record).toMatchObject({ source: 'estimated', endReason: 'upstream_cut', provider: first });
    expect(record?.tokens.output).toBeGreaterThan(0);
  });

  test('when its client leaves, for what was delivered', async () => {
    bench.simulator.faults.set({ provider: first, fault: 'endless' });
    const leaving = new AbortController();
    const { body } = await bench.open(chat({ stream: true }), { principal, signal: leaving.signal });
    const reading = body[Symbol.asyncIterator]();
    await reading.next();
    leaving.abort();
    await reading.next().catch(() => {});
    const [record] = await recorded();
    expect(record).toMatchObject({ source: 'estimated', endReason: 'client_gone', error: 'client_closed_request' });
  });

  test('when its provider reports no usage, as an estimate', async () => {
    bench.simulator.faults.set({ provider: first, fault: 'no-usage' });
    await ask(chat());
    expect((await recorded())[0]).toMatchObject({ source: 'estimated', endReason: 'done' });
  });

  test('when answered from the cache, its own and at no cost', async () => {
    const body = chat();
    await ask(body);
    const again = await ask(body, { requestId: 'req_again' });
    expect(again.headers['x-tallyport-cache']).toBe('HIT');
    const [, record] = await recorded(2);
    expect(record).toMatchObject({ requestId: 'req_again', cached: true, cost: '0', tokens: { input: 0, output: 0 } });
    expect(record?.details).toMatchObject({ cache: 'hit' });
    expect(bench.simulator.requests).toHaveLength(1);
  });
});

test('two requests with the same id leave two records, because clients choose that id', async () => {
  await ask(chat());
  await ask(chat());
  const records = await recorded(2);
  expect(new Set(records.map(({ id }) => id)).size).toBe(2);
});

test('a request that reached no provider leaves none', async () => {
  await ask(chat({ model: 'unknown' }));
  await ask(chat());
  expect(await recorded(1)).toHaveLength(1);
});
