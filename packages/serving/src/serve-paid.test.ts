import { costHeader, GatewayError, noTokens, type Principal, type UsageRecord } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ServingBench, startServingBench } from './testing/serving-bench.ts';
import { nothingUsed } from './metering/index.ts';
import { refusalsPerMinute } from '@tallyport/limits';
import { servePaid } from './serve-paid.ts';
import type { RequestLife } from './paid-request.ts';
import { readSummary, summarize } from './testing/summaries.ts';

let bench: ServingBench;
let first: string;
let second: string;
beforeAll(async () => {
  bench = await startServingBench(summarize);
  [first = '', second = ''] = bench.providers;
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const limit = 10_000;
/** A new key for each test, with a token limit and a budget, both of which must add up. */
let keys = 0;
const newPrincipal = (amount = '1000'): Principal => ({
  accountId: 'account',
  keyId: `key-${(keys += 1)}`,
  tokensPerMinute: { key: limit },
  budgets: { key: { amount, period: 'total' } },
});

const textOf = (changes: object = {}) => ({ model: 'sandbox-chat', text: `words ${keys}`, stream: false, ...changes });

async function ask(body: object, options: AskOptions) {
  const { head, body: answer } = await bench.open(body, options);
  return { ...head, text: Buffer.from(await answer.bytes()).toString() };
}

const recordsOf = ({ keyId }: Principal): UsageRecord[] => bench.records.filter((record) => record.keyId === keyId);

async function recorded(principal: Principal, count = 1): Promise<UsageRecord[]> {
  await expect.poll(() => recordsOf(principal).length).toBe(count);
  return recordsOf(principal);
}

const total = ({ tokens }: UsageRecord): number => Object.values(tokens).reduce((sum, each) => sum + each, 0);

/** What the key's next request finds left: nothing may stay reserved or be released twice. */
async function expectSettled(principal: Principal, used: number): Promise<void> {
  const text = `afterwards ${String(keys).padStart(5)}`;
  const { headers } = await ask(textOf({ text }), { principal });
  const estimate = Math.ceil(`Summarize: ${text}`.length / 4) + 100;
  expect(Number(headers['x-ratelimit-remaining-tokens'])).toBe(limit - used - estimate);
}

test('a line of a batch has its cost in a header, and no other request has', async () => {
  const principal = newPrincipal();
  const line = await ask(textOf(), { principal, batch: { id: 'batch_1', line: 1 } });
  const [record] = await recorded(principal);
  expect(Number(record?.cost)).toBeGreaterThan(0);
  expect(line.headers[costHeader]).toBe(record?.cost);
  expect((await ask(textOf({ text: 'other' }), { principal })).headers).not.toHaveProperty(costHeader);
});

describe('an endpoint of less than 90 lines bills', () => {
  test('a whole answer', async () => {
    const principal = newPrincipal();
    const answer = await ask(textOf(), { principal });
    expect(answer).toMatchObject({ status: 200, headers: { 'x-tallyport-provider': first } });
    expect(JSON.parse(answer.text)).toEqual({ summary: expect.stringContaining('simulated answer') });
    const [record] = await recorded(principal);
    expect(record).toMatchObject({ provider: first, stream: false, endReason: 'done', source: 'reported' });
    expect(Number(record?.cost)).toBeGreaterThan(0);
    await expectSettled(principal, record ? total(record) : 0);
  });

  test('a stream', async () => {
    const principal = newPrincipal();
    const { text } = await ask(textOf({ stream: true }), { principal });
    expect(text).toMatch(/^data: {"more":[\s\S]*data: \[DONE\]\n\n$/);
    const [record] = await recorded(principal);
    expect(record).toMatchObject({ stream: true, endReason: 'done', source: 'reported' });
    await expectSettled(principal, record ? total(record) : 0);
  });

  test('an answer from the cache, at no cost', async () => {
    const principal = newPrincipal();
    const body = textOf();
    const made = await ask(body, { principal });
    const again = await ask(body, { principal });
    expect([made, again].map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'HIT']);
    expect(again.text).toBe(made.text);
    const [record, hit] = await recorded(principal, 2);
    expect(hit).toMatchObject({ cached: true, cost: '0', source: 'none', attempts: [] });
    await expectSettled(principal, record ? total(record) : 0);
  });

  test('a failover, for the provider that answered', async () => {
    const principal = newPrincipal();
    bench.simulator.faults.set({ provider: first, fault: 'status:500' });
    await ask(textOf(), { principal });
    const [record] = await recorded(principal);
    expect(record?.attempts.map(({ provider, status }) => [provider, status])).toEqual([
      [first, 500],
      [second, 200],
    ]);
    await expectSettled(principal, record ? total(record) : 0);
  });
});

const refusal = { endReason: 'refused', cost: '0', source: 'none', attempts: [], tokens: noTokens };

describe('without an answer it settles', () => {
  test.each([false, true])('a failure of every provider, streamed: %s', async (stream) => {
    const principal = newPrincipal();
    bench.simulator.faults.set({ fault: 'status:500' });
    const failure: unknown = await ask(textOf({ stream }), { principal }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'all_providers_failed' });
    expect(await recorded(principal)).toMatchObject([{ cost: '0', source: 'none', endReason: 'error' }]);
    bench.simulator.reset();
    await expectSettled(principal, 0);
  });

  test.each([false, true])('a client that leaves, streamed: %s', async (stream) => {
    const principal = newPrincipal();
    bench.simulator.faults.set({ provider: first, fault: stream ? 'endless' : 'hang' });
    const leaving = new AbortController();
    const opened = bench.open(textOf({ stream }), { principal, signal: leaving.signal });
    if (stream) await (await opened).body[Symbol.asyncIterator]().next();
    else await bench.simulator.waitFor(({ requests }) => requests.some(({ outcome }) => outcome === 'open'));
    leaving.abort(new GatewayError('client_closed_request', 'The client closed the connection.'));
    await opened.catch(() => {});
    const [record] = await recorded(principal);
    expect(record).toMatchObject({ endReason: 'client_gone', source: 'estimated' });
    bench.simulator.reset();
    await expectSettled(principal, record ? total(record) : 0);
  });

  test('a request refused by its budget: at no cost, and its tokens are released', async () => {
    const principal = newPrincipal('0.5');
    const refused = await ask(textOf(), { principal });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([402, 'budget_exceeded']);
    await expectSettled({ ...principal, budgets: {} }, 0);
    expect(await recorded(principal, 2)).toMatchObject([
      { ...refusal, status: 402, error: 'budget_exceeded', model: 'sandbox-chat', requestedModel: 'sandbox-chat' },
      { endReason: 'done' },
    ]);
  });

  test('a request refused by its limit: at no cost', async () => {
    const principal = { ...newPrincipal(), tokensPerMinute: { key: 50 } };
    const refused = await ask(textOf(), { principal });
    expect([refused.status, refused.headers['x-ratelimit-limit-tokens']]).toEqual([429, '50']);
    expect(await recorded(principal)).toMatchObject([{ ...refusal, status: 429, error: 'rate_limit_exceeded' }]);
  });

  test('a request that cannot be planned: under no model, because clients can invent names', async () => {
    const principal = newPrincipal();
    await expect(ask(textOf({ model: 'unknown' }), { principal })).rejects.toMatchObject({ code: 'model_not_found' });
    await expectSettled(principal, 0);
    expect(await recorded(principal, 2)).toMatchObject([
      { ...refusal, status: 404, error: 'model_not_found', model: '', requestedModel: 'unknown' },
      { endReason: 'done' },
    ]);
  });

  test('a flood of refusals: only some have records, with the number of the others', async () => {
    const principal = { ...newPrincipal(), accountId: 'flooding', tokensPerMinute: { key: 50 } };
    for (let sent = 0; sent < refusalsPerMinute + 10; sent += 1) await ask(textOf(), { principal });
    expect(await recorded(principal, refusalsPerMinute)).toHaveLength(refusalsPerMinute);
  });

  test('a request without a caller, or that fails for another reason than itself: no record', async () => {
    const before = bench.records.length;
    await expect(ask(textOf({ model: 'unknown' }), {})).rejects.toMatchObject({ code: 'model_not_found' });
    const leaving = AbortSignal.abort(new GatewayError('client_closed_request', 'The client closed the connection.'));
    await ask(textOf(), { principal: newPrincipal(), signal: leaving }).catch(() => {});
    expect(bench.records).toHaveLength(before);
  });
});

test('nothing stays in flight', async () => {
  await expect.poll(() => bench.metrics()).toMatch(/gateway_inflight_requests\{service="chat"\} 0\n/);
});

describe('an attempt is settled exactly once', () => {
  const failedAttempt = {
    provider: 'north',
    model: 'sandbox-chat',
    status_code: 500,
    error_type: 'provider_server_error',
    succeeded: false,
    duration_ms: 1,
  } as const;
  let attempt: (life: RequestLife) => never;
  let faulty: ServingBench;
  beforeAll(async () => {
    faulty = await startServingBench((tools) =>
      servePaid(tools, {
        name: 'summary',
        operation: 'chat',
        events: tools.events,
        read: async (exchange) => ({ ...(await readSummary(tools, exchange)), attempt: async (life) => attempt(life) }),
      }),
    );
  });

  /** What is left of the limit, as reported to a refused request of the key. */
  async function left(principal: Principal): Promise<number> {
    const body = textOf({ text: 'x'.repeat(9_000) });
    const { head } = await faulty.open(body, { principal: { ...principal, tokensPerMinute: { key: 2_000 } } });
    return Number(head.headers['x-ratelimit-remaining-tokens']);
  }

  test('one that throws before settling releases everything', async () => {
    const principal = newPrincipal();
    attempt = () => {
      throw new Error('broken');
    };
    await expect(faulty.open(textOf(), { principal })).rejects.toMatchObject({ code: 'internal_error' });
    expect(await left(principal)).toBe(2_000);
  });

  test('one that settles twice is settled with the first figures', async () => {
    const principal = newPrincipal();
    attempt = (life) => {
      for (const limitTokens of [300, 900]) life.settle({ ...nothingUsed, attempts: [failedAttempt], limitTokens });
      throw new Error('broken');
    };
    await expect(faulty.open(textOf(), { principal })).rejects.toMatchObject({ code: 'internal_error' });
    expect(await left(principal)).toBe(1_700);
    await faulty.close();
    expect(faulty.records.filter(({ endReason }) => endReason !== 'refused')).toHaveLength(1);
  });
});
