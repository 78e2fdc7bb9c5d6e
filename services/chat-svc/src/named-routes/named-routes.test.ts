import { type Routes, routeSchema, type UsageRecord } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { untilPasses } from '../../../../tests/support/probe.ts';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const entry = sharedModelEntry();
const [firstOffer, secondOffer, thirdOffer] = entry.offers;
if (!firstOffer || !secondOffer || !thirdOffer) throw new TypeError('The shared model has three offers.');
const [a, b, c] = [firstOffer, secondOffer, thirdOffer].map(({ providerId }) => providerId);
const only = (id: string, offer: typeof firstOffer, changes: object = {}) =>
  sharedModelEntry({ id, aliases: [], offers: [{ ...offer, ...changes }] });
const dear = { pricing: { prompt: '0.001', completion: '0.002' } };
const models = [
  only('plan-a', firstOffer),
  only('plan-b', secondOffer, { ...dear, contextLength: 5_000 }),
  only('plan-c', thirdOffer),
  sharedModelEntry({ id: 'shared-model', aliases: [] }),
  sharedModelEntry({
    id: 'sorted-model',
    aliases: [],
    // Within the margin of a tie, so that the first one is asked unless offers are sorted.
    offers: [
      { ...firstOffer, pricing: { prompt: '0.00001', completion: '0.00001' } },
      { ...secondOffer, pricing: { prompt: '0.0000099', completion: '0.0000099' } },
    ],
  }),
];
const route = (members: object): Routes[string] => routeSchema.parse(members);
const operators: Routes = {
  fast: route({
    targets: [
      { model: 'plan-a', weight: 1 },
      { model: 'plan-b', weight: 0 },
    ],
    then: ['plan-c'],
  }),
  'plan-c': route({ targets: [{ model: 'plan-a' }] }),
  next: route({ targets: [{ model: 'plan-a' }], then: ['plan-b'], onContentFilter: 'next' }),
  same: route({ targets: [{ model: `${a}/shared-model` }], then: ['shared-model'] }),
  sorted: route({ targets: [{ model: 'sorted-model' }] }),
  gone: route({ targets: [{ model: 'plan-x' }], then: ['plan-b'] }),
  private: route({
    targets: [{ model: 'plan-a' }],
    when: [{ if: '"x-no-cache" in request.headers', use: ['plan-b'] }],
  }),
  tagged: route({
    targets: [{ model: 'plan-a' }],
    when: [{ if: '"enterprise" in account.tags', use: ['plan-c'] }],
  }),
  choose: route({
    targets: [{ model: 'plan-a' }],
    when: [
      { if: 'request.tools.exists(tool, tool == "search")', use: ['plan-b'] },
      { if: '"image" in request.modalities || request.structured_output', use: ['plan-x'] },
      { if: 'request.headers["x-route-tier"] == "gold" && request.stream', use: ['plan-c'] },
      { if: 'request.api == "anthropic-messages" && request.end_user == "ann"', use: ['plan-c'] },
      { if: 'budget.left < 1 && key.id == "poor"', use: ['plan-c'] },
    ],
  }),
};
const accounts: Routes = {
  fast: route({ targets: [{ model: 'plan-b' }] }),
  mine: route({
    targets: [
      { model: 'plan-c', weight: 3 },
      { model: 'plan-b', weight: 1 },
    ],
  }),
};

const principal = { accountId: 'account', keyId: 'key' };
const ask: AskOptions = { principal };
const own: AskOptions = { principal: { ...principal, routesVersion: '1' } };

let bench: ChatBench;
let loads: string[] = [];
let load: () => Promise<Routes> = async () => accounts;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models, routes: operators },
    environment: { CACHE_TTL_SECONDS: '60' },
    routes({ accountId, version }) {
      loads.push(`${accountId} ${version}`);
      return load();
    },
  });
});
afterEach(() => {
  loads = [];
  load = async () => accounts;
  bench.simulator.reset();
});
afterAll(() => bench.close());

let sequence = 0;
let requestId = '';
function chat(model: string | string[], changes: object = {}) {
  sequence += 1;
  requestId = `req_${sequence}`;
  const named = typeof model === 'string' ? { model } : { models: model };
  return { ...named, messages: [{ role: 'user', content: `Question ${sequence}` }], ...changes };
}
const fails = (provider: string | undefined, fault = 'status:500', times = 1) =>
  bench.simulator.faults.set({ provider: String(provider), fault, times });
const answered = async (body: object, options = ask): Promise<string | undefined> => {
  const { status, headers, error } = await bench.ask(body, { requestId, ...options });
  return status === 200 ? headers['x-tallyport-model'] : `${status} ${error?.code}`;
};
/** The record of the last request: those of others may be late. */
async function recorded(): Promise<UsageRecord | undefined> {
  const find = () => bench.usage.find((record) => record.requestId === requestId);
  await untilPasses(() => expect(find()).toBeDefined());
  return find();
}

describe('a chat with the name of a route', () => {
  test('is answered by its first model, and says so with the name of the route', async () => {
    const { headers, text } = await bench.ask(chat('fast'), { ...ask, requestId });
    const { model, metadata } = JSON.parse(text);
    expect([headers['x-tallyport-model'], model]).toEqual([`${a}/plan-a`, `${a}/plan-a`]);
    expect([metadata.requested_model, metadata.used_model]).toEqual(['fast', 'plan-a']);
    expect(await recorded()).toMatchObject({
      requestedModel: 'fast',
      model: 'plan-a',
      details: { route: { name: 'fast', owner: 'operator', target: 'plan-a', reason: 'weight' } },
    });
    expect(await bench.metrics()).toContain('gateway_named_routes_total{name="fast",model="plan-a",reason="weight"} 1');
  });

  test('is answered by the next models if the ones before fail', async () => {
    fails(a);
    fails(b);
    const { text } = await bench.ask(chat('fast'), { ...ask, requestId });
    const { metadata } = JSON.parse(text);
    expect(metadata.routing.map(({ model }: { model: string }) => model)).toEqual(['plan-a', 'plan-b', 'plan-c']);
    expect(metadata.requested_model).toBe('fast');
    expect(await recorded()).toMatchObject({
      requestedModel: 'fast',
      model: 'plan-c',
      details: { route: { reason: 'then' } },
    });
  });

  test('is streamed', async () => {
    fails(a);
    const { headers, text } = await bench.ask(chat('fast', { stream: true }), ask);
    expect(headers['x-tallyport-model']).toBe(`${b}/plan-b`);
    expect(text).toContain('"requested_model":"fast"');
  });

  test('gets the route, not the model of the same name', async () => {
    expect(await answered(chat('plan-c'))).toBe(`${a}/plan-a`);
  });

  test('has one model if the client forbids others', async () => {
    fails(a);
    expect(await answered(chat('fast'), { ...ask, headers: { 'x-no-fallback': 'true' } })).toBe(
      '502 all_providers_failed',
    );
  });

  test('is not tried twice at an offer that two names bring', async () => {
    fails(a, 'status:500', 9);
    const { text } = await bench.ask(chat('same'), ask);
    const tried = JSON.parse(text).metadata.routing.map(({ provider }: { provider: string }) => provider);
    expect([tried[0], new Set(tried).size]).toEqual([a, tried.length]);
  });

  test('passes over a target that is no longer in the catalogue', async () => {
    expect(await answered(chat('gone'))).toBe(`${b}/plan-b`);
  });

  test('passes over a target whose context is too short', async () => {
    const content = 'word '.repeat(10_000);
    fails(a);
    expect(await answered(chat('fast', { messages: [{ role: 'user', content }] }))).toBe(`${c}/plan-c`);
  });

  test('takes its place in a list of models', async () => {
    fails(a);
    fails(b);
    fails(c);
    expect(await answered(chat(['fast', 'shared-model', 'plan-a']))).toMatch(/shared-model$/);
    const record = await recorded();
    expect(record?.attempts.map(({ model = record.model }) => model)).toEqual([
      'plan-a',
      'plan-b',
      'plan-c',
      'shared-model',
    ]);
  });

  test('ends with a content filter, unless the route or the list goes on', async () => {
    const filtered = 'status:400;code=content_filter';
    fails(a, filtered);
    expect(await answered(chat('fast'))).toBe('400 content_policy_violation');
    fails(a, filtered);
    expect(await answered(chat(['fast', 'shared-model']))).toMatch(/shared-model$/);
    fails(a, filtered);
    expect(await answered(chat('next'))).toBe(`${b}/plan-b`);
  });

  test('depends on the tags of the account', async () => {
    const tagged = (accountTags: string[]) => answered(chat('tagged'), { principal: { ...principal, accountTags } });
    expect(await tagged(['eu', 'enterprise'])).toBe(`${c}/plan-c`);
    expect(await tagged(['eu'])).toBe(`${a}/plan-a`);
    expect(await answered(chat('tagged'))).toBe(`${a}/plan-a`);
  });

  test('gets no model that its key may not use', async () => {
    fails(a);
    const limited = { principal: { ...principal, allowedModels: ['plan-a', 'plan-c'] } };
    expect(await answered(chat('fast'), limited)).toBe(`${c}/plan-c`);
    expect(await answered(chat('fast'), { principal: { ...principal, allowedModels: ['fast'] } })).toBe(
      '403 permission_denied',
    );
  });
});

describe('conditions', () => {
  const tools = [{ type: 'function', function: { name: 'search', parameters: { type: 'object' } } }];

  test.each([
    ['nothing of it', {}, ask, a],
    ['a tool', { tools }, ask, b],
    ['a header for routes', { stream: true }, { ...ask, headers: { 'x-route-tier': 'gold' } }, c],
    ['another value', { stream: true }, { ...ask, headers: { 'x-route-tier': 'blue' } }, a],
  ])('see %s', async (_name, changes, options, provider) => {
    expect(await answered(chat('choose', changes), options)).toMatch(new RegExp(`^${provider}/`));
  });

  test('see no headers but those for routes', async () => {
    expect(await answered(chat('private'), { ...ask, headers: { 'x-no-cache': 'true' } })).toBe(`${a}/plan-a`);
  });

  test('see what is left of the smallest budget', async () => {
    const budgets = {
      key: { amount: '0.5', period: 'month' as const },
      account: { amount: '100', period: 'month' as const },
    };
    const poor = { ...principal, keyId: 'poor', budgets };
    expect(await answered(chat('choose'), { principal: poor })).toBe(`${c}/plan-c`);
    const richer = { ...poor, budgets: { ...budgets, key: { amount: '5', period: 'month' as const } } };
    expect(await answered(chat('choose'), { principal: { ...richer, keyId: 'rich' } })).toBe(`${a}/plan-a`);
    expect(await answered(chat('choose'), { principal: { ...poor, budgets: {} } })).toBe(`${a}/plan-a`);
  });

  test('see the API and its end user', async () => {
    const body = { model: 'choose', max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }] };
    const asked = await bench.inApi('messages', body, { ...ask, headers: { 'x-end-user': 'ann' } });
    expect([asked.headers['x-tallyport-model'], JSON.parse(asked.text).model]).toEqual([`${c}/plan-c`, 'plan-c']);
    const onlyA = { ...principal, allowedModels: ['plan-a'] };
    const counted = await bench.inApi('countTokens', body, { principal: onlyA, headers: { 'x-end-user': 'ann' } });
    expect(counted.error).toMatchObject({ code: 'permission_denied', message: "This API key may not use 'plan-c'." });
  });
});

test('a route with :floor asks the cheapest offer of each of its models', async () => {
  expect(await answered(chat('sorted'))).toBe(`${a}/sorted-model`);
  expect(await answered(chat('sorted:floor'))).toBe(`${b}/sorted-model`);
  expect(await answered(chat(['gone:floor', 'plan-a:floor']))).toBe(`${b}/plan-b`);
  const { text } = await bench.ask(chat('sorted:floor'), ask);
  expect(JSON.parse(text).metadata).toMatchObject({ requested_model: 'sorted', used_model: 'sorted-model' });
  expect(await answered(chat('nothing:floor'))).toBe('404 model_not_found');
});

test('every API takes the name of a route', async () => {
  const responses = await bench.inApi('responses', { model: 'next', input: 'Hi' }, ask);
  expect(JSON.parse(responses.text).model).toBe('plan-a');
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  const gemini = await bench.inApi('generateContent', { contents }, { ...ask, path: 'next:generateContent' });
  expect(JSON.parse(gemini.text).modelVersion).toBe('plan-a');
  const counted = { model: 'next', messages: [{ role: 'user', content: 'How long is this?' }] };
  expect((await bench.inApi('countTokens', counted, ask)).status).toBe(200);
  expect((await bench.inApi('countTokens', { ...counted, model: 'gone' }, ask)).status).toBe(200);
});

describe("an account's routes", () => {
  test('take the place of the operator’s, are loaded once per version, and belong to this account', async () => {
    expect(await Promise.all([answered(chat('fast'), own), answered(chat('fast'), own)])).toEqual([
      `${b}/plan-b`,
      `${b}/plan-b`,
    ]);
    expect(await answered(chat('mine'))).toBe('404 model_not_found');
    expect(await answered(chat('mine'), { principal: { accountId: 'other', keyId: 'key' } })).toBe(
      '404 model_not_found',
    );
    expect(loads).toEqual(['account 1']);
    load = async () => ({ fast: route({ targets: [{ model: 'plan-c' }] }) });
    const newer = { principal: { ...principal, routesVersion: '2' } };
    expect(await answered(chat('fast'), newer)).toBe(`${c}/plan-c`);
    expect(await answered(chat('choose'), newer)).toBe(`${a}/plan-a`);
    expect(loads).toEqual(['account 1', 'account 2']);
  });

  test('keep a conversation with its target', async () => {
    const named = (user: string) =>
      bench.ask(chat('mine', { user }), own).then(({ headers }) => headers['x-tallyport-model']);
    for (let at = 0; at < 8; at += 1) expect(await named(`user ${at}`)).toBe(await named(`user ${at}`));
    const turn = (messages: object[]) => answered(chat('mine', { messages }), own);
    for (let at = 0; at < 4; at += 1) {
      const first = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: `Topic ${at}` },
      ];
      const later = [...first, { role: 'assistant', content: 'Yes?' }, { role: 'user', content: 'Go on.' }];
      expect(await turn(later)).toBe(await turn(first));
    }
  });

  test('that cannot be loaded are those known before, and a request is refused if none are known', async () => {
    load = () => Promise.reject(new Error('away'));
    const next = { principal: { ...principal, routesVersion: '3' } };
    expect(await answered(chat('choose'), next)).toBe(`${a}/plan-a`);
    const stranger = { principal: { accountId: 'stranger', keyId: 'key', routesVersion: '1' } };
    const { error } = await bench.ask(chat('plan-a'), stranger);
    expect([error?.code, error?.status, error?.retryAfterMs]).toEqual(['unavailable', 503, 1_000]);
    load = async () => accounts;
    expect(await answered(chat('fast'), stranger)).toBe(`${b}/plan-b`);
  });
});

describe('the explanation of a route', () => {
  test('has the results of conditions, weights, the order, and what would be reserved', async () => {
    const { text } = await bench.explain(chat('choose', { max_tokens: 100, stream: true }), ask);
    const { requested_model, model, routes, reservation_usd, turns } = JSON.parse(text);
    expect([requested_model, model, turns, reservation_usd]).toEqual(['choose', 'plan-a', undefined, '0']);
    expect(routes).toMatchObject([
      {
        name: 'choose',
        owner: 'operator',
        on_content_filter: 'stop',
        targets: [{ model: 'plan-a', weight: 1, share: 1, chosen: true }],
        models: [{ model: 'plan-a', reason: 'weight' }],
      },
    ]);
    expect(routes[0].conditions.map(({ result, problem }: Record<string, string>) => [result, problem])).toEqual([
      ['false', undefined],
      ['false', undefined],
      ['failed', 'No such key: x-route-tier (at character 1)'],
      ['false', undefined],
      ['false', undefined],
    ]);
  });

  test('has the plans of all models, those passed over, and the price of the dearest', async () => {
    const { text } = await bench.explain(chat('fast', { max_tokens: 100 }), {
      principal: { ...principal, allowedModels: ['plan-a', 'plan-b'] },
    });
    const { turns, stand_ins, passed_over, reservation_usd } = JSON.parse(text);
    expect([turns, stand_ins[0].model]).toEqual([['plan-a', 'plan-b'], 'plan-b']);
    expect(passed_over).toMatchObject([{ model: 'plan-c', reason: 'permission_denied' }]);
    expect(Number(reservation_usd)).toBeGreaterThan(100 * 0.002);
  });
});
