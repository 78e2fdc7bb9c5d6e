import { type LoadedRoute, type Principal, routeSchema, type UsageRecord } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { untilPasses } from '../../../../tests/support/probe.ts';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const [firstOffer, secondOffer] = sharedModelEntry().offers;
if (!firstOffer || !secondOffer) throw new TypeError('The shared model has three offers.');
const [a, b] = [firstOffer, secondOffer].map(({ providerId }) => providerId);
const dear = { pricing: { prompt: '0.001', completion: '0.002' } };
const claude = (id: string) =>
  sharedModelEntry({ id, aliases: [], offers: [offerOf('anthropic', { modelName: 'claude-haiku-4-5' })] });
const models = [
  sharedModelEntry({ id: 'plan-a', aliases: [], offers: [firstOffer] }),
  sharedModelEntry({ id: 'plan-b', aliases: [], offers: [{ ...secondOffer, ...dear }] }),
  claude('claude-a'),
  claude('claude-b'),
];
const budget = { amount: '100', period: 'month' } as const;

function route(percent: number, changes: object = {}): LoadedRoute {
  const written = routeSchema.parse({ targets: [{ model: 'plan-a' }] });
  return {
    ...written,
    shadow: { model: 'plan-b', percent, project: 'trial', payer: { projectId: 'project_trial' }, ...changes },
  };
}
const poor = { projectId: 'project_poor', budget: { ...budget, amount: '0.000001' } };
const routes: Record<string, LoadedRoute> = {
  fast: route(100),
  rare: route(0.01),
  limited: route(100, { payer: { projectId: 'project_trial', budget } }),
  poor: route(100, { payer: poor }),
  narrow: route(100, { payer: { projectId: 'project_narrow', budget: { ...budget, amount: '0.3' } } }),
  orphan: route(100, { payer: undefined }),
  gone: route(100, { model: 'plan-x' }),
  native: { ...route(100, { model: 'claude-b' }), targets: [{ model: 'claude-a', weight: 1 }] },
};
const principal: Principal = { accountId: 'account', keyId: 'key', projectId: 'project_own', routesVersion: '1' };
const environment = ({ baseUrl }: Simulator) => ({
  CACHE_TTL_SECONDS: '60',
  ANTHROPIC_API_KEY: 'key',
  ANTHROPIC_BASE_URL: baseUrl('anthropic'),
});
const catalogue = { version: '1', models, routes: { operators: route(100) } };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({ catalogue, environment, routes: async () => routes });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

let sequence = 0;
function chat(model: string, changes: object = {}) {
  sequence += 1;
  return { model, messages: [{ role: 'user', content: `Question ${sequence}` }], ...changes };
}
const ask = (body: object, options: AskOptions = {}, on = bench) =>
  on.ask(body, { principal, requestId: `req_${sequence}`, ...options });

const isShadow = ({ details }: UsageRecord): boolean => details?.route?.reason === 'shadow';
/** The record of the shadow of the last request. */
async function shadowRecord(on = bench): Promise<UsageRecord | undefined> {
  const find = () => on.usage.find((record) => record.requestId === `req_${sequence}` && isShadow(record));
  await untilPasses(() => expect(find()).toBeDefined());
  return find();
}
async function counted(result: string, on = bench): Promise<number> {
  const name = `gateway_shadow_requests_total{result="${result}"} `;
  const line = (await on.metrics()).split('\n').find((each) => each.startsWith(name));
  return Number(line?.slice(name.length) ?? 0);
}
/** Asks, and waits until the shadow has answered. */
async function askedBoth(body: object, options: AskOptions = {}) {
  const answer = await ask(body, options);
  await shadowRecord();
  return answer;
}
const shadowRecords = () => bench.usage.filter((record) => record.requestId === `req_${sequence}` && isShadow(record));
/** Asks, and waits until the shadow has been counted. */
async function askedWith(result: string, body: object, options: AskOptions = {}) {
  const before = await counted(result);
  const answer = await ask(body, options);
  await untilPasses(async () => expect(await counted(result)).toBe(before + 1));
  return answer;
}
const askedOf = (provider: string | undefined, on = bench) =>
  on.simulator.requests.filter((received) => received.provider === provider);
const hangs = (on = bench, times = 1) => on.simulator.faults.set({ provider: String(b), fault: 'hang', times });

describe('the shadow of a route', () => {
  test('gets the request as well, and its record is of its project, not of the key', async () => {
    const rich = { ...principal, budgets: { key: budget, account: budget } };
    const { status, headers, text } = await ask(chat('limited', { user: 'ann' }), {
      principal: rich,
      headers: { 'x-end-user': 'ann' },
    });
    expect([status, headers['x-tallyport-model'], JSON.parse(text).metadata.used_model]).toEqual([
      200,
      `${a}/plan-a`,
      'plan-a',
    ]);
    const record = await shadowRecord();
    expect(record).toMatchObject({
      accountId: 'account',
      keyId: 'shadow_limited',
      projectId: 'project_trial',
      operation: 'chat',
      requestedModel: 'limited',
      model: 'plan-b',
      provider: b,
      status: 200,
      endReason: 'done',
      stream: false,
      cached: false,
      attempts: [{ provider: b, status: 200 }],
      details: { cache: 'bypass', route: { name: 'limited', owner: 'account', reason: 'shadow' } },
    });
    expect(record).not.toHaveProperty('endUser');
    const { input = 0, output = 0 } = record?.tokens ?? {};
    expect([input > 0, output > 0]).toEqual([true, true]);
    expect(Number(record?.cost)).toBeCloseTo(input * 0.001 + output * 0.002, 9);
    const own = bench.usage.filter((each) => each.requestId === record?.requestId && !isShadow(each));
    expect(own).toMatchObject([{ keyId: 'key', projectId: 'project_own', endUser: 'ann', model: 'plan-a' }]);
  });

  test('is streamed to its end if the request is', async () => {
    await ask(chat('fast', { stream: true }));
    const record = await shadowRecord();
    expect(record).toMatchObject({ stream: true, endReason: 'done', model: 'plan-b', source: 'reported' });
    expect(record?.firstByteMs).toBeGreaterThan(0);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['completions', () => bench.inApi('completeText', { model: 'fast', prompt: `Hi ${sequence}` }, spoken())],
    ['responses', () => bench.inApi('responses', { model: 'fast', input: `Hi ${sequence}` }, spoken())],
    [
      'messages',
      () =>
        bench.inApi(
          'messages',
          { model: 'fast', max_tokens: 20, messages: [{ role: 'user', content: `Hi ${sequence}` }] },
          spoken(),
        ),
    ],
    [
      'gemini',
      () =>
        bench.inApi(
          'generateContent',
          { contents: [{ role: 'user', parts: [{ text: `Hi ${sequence}` }] }] },
          { ...spoken(), path: 'fast:generateContent' },
        ),
    ],
  ])('gets a request of %s', async (_name, asking) => {
    expect(await asking()).toMatchObject({ status: 200 });
    expect(await shadowRecord()).toMatchObject({ model: 'plan-b', status: 200 });
  });
  const spoken = () => ({ principal, requestId: `req_${(sequence += 1)}` });

  test('gets no request that the cache answers', async () => {
    const body = chat('fast');
    await askedBoth(body);
    expect((await ask(body)).headers['x-tallyport-cache']).toBe('HIT');
    await askedBoth(chat('fast'));
    expect(askedOf(b)).toHaveLength(2);
  });

  test('gets a share of the requests', async () => {
    await ask(chat('rare'), { requestId: 'req_not_drawn' });
    await askedBoth(chat('fast'));
    expect(askedOf(b)).toHaveLength(1);
  });
});

describe('a shadow changes nothing for the client', () => {
  const shapeOf = ({ status, headers, text }: Awaited<ReturnType<typeof ask>>) => {
    const { model, choices, usage } = JSON.parse(text);
    return {
      status,
      model: headers['x-tallyport-model'],
      attempts: headers['x-tallyport-attempts'],
      choices,
      usage,
      of: model,
    };
  };

  test('if it hangs: the answer is there before, and the same', async () => {
    const body = chat('rare');
    const without = shapeOf(await ask(body, { requestId: 'req_not_drawn' }));
    hangs();
    const leaving = new AbortController();
    const answer = await ask({ ...body, model: 'fast' }, { signal: leaving.signal, headers: { 'x-no-cache': 'true' } });
    expect(shapeOf(answer)).toEqual(without);
    await bench.simulator.waitFor(() => askedOf(b).length === 1);
    leaving.abort();
    expect([shadowRecords(), bench.simulator.aborted]).toEqual([[], []]);
  });

  test('if it fails: it is tried once, and its failure is recorded', async () => {
    bench.simulator.faults.set({ provider: String(b), fault: 'status:500', times: 5 });
    const { status } = await askedWith('failed', chat('fast'));
    expect(status).toBe(200);
    expect(await shadowRecord()).toMatchObject({ status: 502, cost: '0', attempts: [{ provider: b, status: 500 }] });
    expect(askedOf(b)).toHaveLength(1);
  });

  test('if the client leaves: the shadow ends as it would have', async () => {
    bench.simulator.faults.set({ provider: String(a), fault: 'hang', times: 1 });
    const leaving = new AbortController();
    const asking = ask(chat('fast'), { signal: leaving.signal });
    await bench.simulator.waitFor(() => askedOf(a).length === 1);
    leaving.abort();
    expect((await asking).error?.code).toBe('client_closed_request');
    expect(await shadowRecord()).toMatchObject({ status: 200, endReason: 'done' });
  });

  test('if the request fails: the shadow is answered', async () => {
    bench.simulator.faults.set({ provider: String(a), fault: 'status:400', times: 1 });
    expect((await askedBoth(chat('fast'))).status).toBe(400);
  });
});

describe('no request is sent to the shadow', () => {
  test.each<[string, string, Partial<Principal>]>([
    ['whose model the key may not use', 'fast', { allowedModels: ['plan-a'] }],
    ['whose provider the key may not use', 'fast', { allowedProviders: [String(a)] }],
    ['whose project cannot pay', 'poor', {}],
    [
      'whose account cannot pay',
      'fast',
      { accountId: 'poor', budgets: { account: { ...budget, amount: '0.000001' } } },
    ],
    ['whose project does not exist', 'orphan', {}],
    ['whose model does not exist', 'gone', {}],
  ])('%s', async (_name, model, changes) => {
    const { status, error } = await askedWith('refused', chat(model), { principal: { ...principal, ...changes } });
    expect([status, error]).toEqual([200, undefined]);
    expect(askedOf(b)).toEqual([]);
    expect(shadowRecords()).toEqual([]);
  });

  test('while another one holds what is left of the budget', async () => {
    hangs();
    await ask(chat('narrow', { max_tokens: 100 }));
    await bench.simulator.waitFor(() => askedOf(b).length === 1);
    await askedWith('refused', chat('narrow', { max_tokens: 100 }));
    expect(askedOf(b)).toHaveLength(1);
  });

  test('that was refused itself', async () => {
    const limited = { ...principal, keyId: 'other', tokensPerMinute: { key: 1 } };
    expect((await ask(chat('fast'), { principal: limited })).status).toBe(429);
    await askedBoth(chat('fast'));
    expect(askedOf(b)).toHaveLength(1);
  });

  test('of a route of the operator', async () => {
    expect((await ask(chat('operators'))).status).toBe(200);
    await askedBoth(chat('fast'));
    expect(askedOf(b)).toHaveLength(1);
  });
});

test('a shadow counts against no limit and no budget of the key', async () => {
  const tight = {
    ...principal,
    keyId: 'tight',
    tokensPerMinute: { key: 60 },
    budgets: { key: { ...budget, amount: '0.01' } },
  };
  await askedBoth(chat('fast', { max_tokens: 20 }), { principal: tight });
  expect(Number((await shadowRecord())?.cost)).toBeGreaterThan(0.01);
  expect((await askedBoth(chat('fast', { max_tokens: 20 }), { principal: tight })).status).toBe(200);
});

describe('shadows that hang', () => {
  const start = () => startChatBench({ catalogue, environment, routes: async () => routes });

  test('are 32 at most; further ones are dropped and counted', async () => {
    const full = await start();
    try {
      hangs(full, 40);
      for (let at = 0; at < 34; at += 1) expect((await ask(chat('fast'), {}, full)).status).toBe(200);
      expect(await counted('dropped', full)).toBe(2);
      await full.simulator.waitFor(() => askedOf(b, full).length === 32);
    } finally {
      await full.close();
    }
  });

  test('end with the time of their requests', async () => {
    hangs();
    expect((await ask(chat('fast'), { timeoutMs: 2_000 })).status).toBe(200);
    expect(await shadowRecord()).toMatchObject({ endReason: 'max_duration', status: 504, attempts: [{ provider: b }] });
  });

  test('end with the service, and are recorded', async () => {
    const draining = await start();
    hangs(draining);
    await ask(chat('fast', { stream: true }), {}, draining);
    await draining.simulator.waitFor(() => askedOf(b, draining).length === 1);
    await draining.close();
    expect(draining.usage.filter(isShadow)).toMatchObject([{ endReason: 'shutdown', projectId: 'project_trial' }]);
  });
});
