import { planOfText, type UsageRecord } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { untilPasses } from '../../../../tests/support/probe.ts';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'account', keyId: 'key' };
const ask: AskOptions = { principal };
const entry = sharedModelEntry();
const [firstOffer, secondOffer, thirdOffer] = entry.offers;
if (!firstOffer || !secondOffer || !thirdOffer) throw new TypeError('The shared model has three offers.');
const only = (id: string, offer: typeof firstOffer, changes: object = {}) => ({
  ...sharedModelEntry({ id, aliases: [], offers: [{ ...offer, ...changes }] }),
});
const dear = { pricing: { prompt: '0.001', completion: '0.002' } };

let bench: ChatBench;
const byPrice = [firstOffer, secondOffer, thirdOffer].map((offer, at) => ({
  ...offer,
  pricing: { prompt: `0.00000${[2, 1, 3][at]}`, completion: '0.000004' },
}));
const models = [
  sharedModelEntry({ id: 'shared-model', aliases: [], offers: byPrice }),
  only('plan-a', firstOffer),
  only('plan-b', secondOffer, dear),
  only('plan-c', thirdOffer),
];
beforeAll(async () => {
  bench = await startChatBench({ catalogue: { version: '1', models }, environment: { CACHE_TTL_SECONDS: '60' } });
});
afterEach(() => {
  bench.simulator.reset();
});
afterAll(() => bench.close());

const [a, b, c] = [firstOffer, secondOffer, thirdOffer].map(({ providerId }) => providerId);

let sequence = 0;
const chat = (changes: object = {}) => ({
  messages: [{ role: 'user', content: `Hi ${(sequence += 1)}` }],
  models: ['plan-a', 'plan-b'],
  ...changes,
});
/** The one record of the last request. */
async function recorded(): Promise<UsageRecord | undefined> {
  await untilPasses(() => expect(bench.usage).toHaveLength(1));
  return bench.usage.splice(0)[0];
}
const fails = (provider: string | undefined, fault = 'status:500', times = 1) =>
  bench.simulator.faults.set({ provider: String(provider), fault, times });
const answered = async (body: object, options = ask) => {
  const { status, headers, text } = await bench.ask(body, options);
  return { status, model: headers['x-tallyport-model'], attempts: headers['x-tallyport-attempts'], text };
};

describe('a request that names several models', () => {
  test('is answered by the first one while it works', async () => {
    expect(await answered(chat())).toMatchObject({ status: 200, model: `${a}/plan-a`, attempts: '1' });
    const record = await recorded();
    expect(record).toMatchObject({ requestedModel: 'plan-a', model: 'plan-a', provider: a });
    expect(record?.attempts).toEqual([expect.not.objectContaining({ model: expect.anything() })]);
  });

  test('is answered by the next one, at its price, if no provider of the first one can', async () => {
    fails(a);
    const { status, model, attempts, text } = await answered(chat());
    expect([status, model, attempts]).toEqual([200, `${b}/plan-b`, '2']);
    const { metadata, usage, model: named } = JSON.parse(text);
    expect([named, metadata.requested_model, metadata.used_model]).toEqual([`${b}/plan-b`, 'plan-b', 'plan-b']);
    expect(metadata.routing.map((each: object) => Object.values(each).slice(0, 2))).toEqual([
      [a, 'plan-a'],
      [b, 'plan-b'],
    ]);
    expect(metadata.failover).toBe(`answered by ${b}/plan-b after ${a}/plan-a failed`);
    expect(metadata).not.toHaveProperty('not_tried');
    const cost = usage.prompt_tokens * 0.001 + usage.completion_tokens * 0.002;
    expect(usage.cost).toBeCloseTo(cost, 9);
    const record = await recorded();
    expect(record).toMatchObject({ requestedModel: 'plan-a', model: 'plan-b', provider: b, status: 200 });
    expect(Number(record?.cost)).toBeCloseTo(cost, 9);
    expect(record?.attempts.map(({ provider, model: of }) => [provider, of])).toEqual([
      [a, 'plan-a'],
      [b, undefined],
    ]);
    expect(planOfText(record?.details?.offers)?.offers.map(({ provider, model: of }) => [provider, of])).toEqual([
      [a, 'plan-a'],
      [b, 'plan-b'],
    ]);
  });

  test('is streamed by the next one until the first content', async () => {
    fails(a);
    const { status, model, text } = await answered(chat({ stream: true }));
    expect([status, model]).toEqual([200, `${b}/plan-b`]);
    expect(text).toContain(`"failover":"answered by ${b}/plan-b after ${a}/plan-a failed"`);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await recorded()).toMatchObject({ model: 'plan-b', provider: b });
  });

  test('is not answered twice: a stream that breaks after its first content ends with an error', async () => {
    fails(a, 'error-mid-stream:8');
    const { text } = await answered(chat({ stream: true }));
    expect(text).toContain('"code":"upstream_error"');
    expect(await recorded()).toMatchObject({ model: 'plan-a', attempts: [{ provider: a }] });
  });

  test('fails with the attempts of all if none can', async () => {
    fails(a);
    fails(b);
    const { error } = await bench.ask(chat(), ask);
    expect([error?.code, error?.status]).toEqual(['all_providers_failed', 502]);
    expect(error?.message).toContain('plan-a failed before.');
    expect(error?.attempts?.map(({ provider, model }) => [provider, model])).toEqual([
      [a, 'plan-a'],
      [b, 'plan-b'],
    ]);
    expect(error?.untried).toBeUndefined();
    expect(await recorded()).toMatchObject({
      model: 'plan-b',
      status: 502,
      cost: '0',
      attempts: [{ provider: a }, { provider: b }],
    });
  });

  test('keeps the mistake of a client: no other model is asked', async () => {
    fails(a, 'status:400');
    expect((await bench.ask(chat(), ask)).status).toBe(400);
    expect((await recorded())?.attempts).toHaveLength(1);
  });

  test('names its own model beside the list, in any order', async () => {
    fails(b);
    expect(await answered(chat({ model: 'plan-b', models: ['plan-c', 'plan-b'] }))).toMatchObject({
      model: `${c}/plan-c`,
      attempts: '2',
    });
    await recorded();
  });

  test('may name the others in a header', async () => {
    fails(a);
    const headers = { 'x-fallback-models': ' plan-b , plan-c' };
    expect(await answered({ ...chat({ model: 'plan-a' }), models: undefined }, { principal, headers })).toMatchObject({
      model: `${b}/plan-b`,
    });
  });

  test('shows the offers of all models that were not tried, and why', async () => {
    const principalOfFew = { ...principal, allowedModels: ['plan-a', 'shared-model'] };
    const body = () => chat({ models: ['plan-a', 'plan-b', 'shared-model'], provider: { ignore: [c] } });
    const left = [
      { provider: c, model: 'shared-model', reason: 'not_preferred', detail: 'provider.ignore' },
      { model: 'plan-b', reason: 'permission_denied', detail: "This API key may not use 'plan-b'." },
    ];
    const behind = [b, a].map((provider) => ({ provider, model: 'shared-model', reason: 'score' }));
    const { text } = await bench.ask(body(), { principal: principalOfFew });
    const untried = JSON.parse(text).metadata.not_tried;
    expect(untried).toHaveLength(4);
    expect(untried.slice(0, 2)).toEqual(expect.arrayContaining(behind));
    expect(untried.slice(2)).toEqual(left);
    fails(a);
    const streamed = await bench.ask({ ...body(), stream: true }, { principal: principalOfFew });
    expect(streamed.text).toContain(`"not_tried":${JSON.stringify([behind[1], ...left])}`);
    bench.usage.splice(0);
  });

  test('shows them in the error if no provider answered, or none may', async () => {
    fails(a, 'status:500', 2);
    const ignored = { provider: { ignore: [b] } };
    const { error } = await bench.ask(chat({ model: 'plan-a', models: undefined, ...ignored }), ask);
    expect(error?.untried).toBeUndefined();
    const one = await bench.ask(chat({ models: ['shared-model'], provider: { only: [a] } }), ask);
    expect(one.error?.untried).toEqual({
      not_tried: [b, c].map((provider) => ({
        provider,
        model: 'shared-model',
        reason: 'not_preferred',
        detail: 'provider.only',
      })),
    });
    const none = await bench.ask(chat({ provider: { only: ['elsewhere'] } }), ask);
    expect([none.error?.status, none.error?.untried?.not_tried]).toEqual([
      400,
      [
        { provider: a, model: 'plan-a', reason: 'not_preferred', detail: 'provider.only' },
        { provider: b, model: 'plan-b', reason: 'not_preferred', detail: 'provider.only' },
      ],
    ]);
    fails(a, 'status:400');
    expect((await bench.ask(chat(), ask)).error?.untried).toBeUndefined();
  });

  test('has one attempt if the client forbids others', async () => {
    fails(a);
    const headers = { 'x-no-fallback': 'true' };
    expect((await bench.ask(chat({ model: 'plan-a' }), { principal, headers })).status).toBe(502);
  });
});

test('the first model waits as the last resort while all of its offers are known to fail', async () => {
  const environment = { ROUTING_BREAKER_FAILURES_IN_A_ROW: '3', ROUTING_BREAKER_RESET_MS: '60000' };
  const other = await startChatBench({ catalogue: { version: '1', models }, environment });
  try {
    other.simulator.faults.set({ provider: String(a), fault: 'status:500', times: 3 });
    for (let at = 0; at < 4; at += 1) await other.ask(chat(), ask);
    await untilPasses(() => expect(other.usage).toHaveLength(4));
    expect(other.usage.map(({ attempts }) => attempts.map(({ provider }) => provider))).toEqual([
      [a, b],
      [a, b],
      [a, b],
      [b],
    ]);
  } finally {
    await other.close();
  }
});

describe('what a model that stands in may do', () => {
  test('a key gets only the models that it may use', async () => {
    fails(a, 'status:500', 2);
    const limited = { principal: { ...principal, allowedModels: ['plan-a', 'plan-c'] } };
    const body = chat({ models: ['plan-a', 'plan-b', 'plan-c'] });
    expect(await answered(body, limited)).toMatchObject({ status: 200, model: `${c}/plan-c`, attempts: '2' });
    expect((await bench.ask(chat({ models: ['plan-b'] }), limited)).status).toBe(403);
  });

  test('its answer is not kept for the next request, which asks for the first model again', async () => {
    fails(a);
    const body = chat();
    expect((await answered(body)).model).toBe(`${b}/plan-b`);
    expect((await answered(body)).model).toBe(`${a}/plan-a`);
    const { headers } = await bench.ask(body, ask);
    expect([headers['x-tallyport-cache'], headers['x-tallyport-model']]).toEqual(['HIT', `${a}/plan-a`]);
  });
});

describe('the explanation', () => {
  test('has the plans of all models, their order, and which cannot serve the request', async () => {
    const limited = { principal: { ...principal, allowedModels: ['plan-a', 'plan-c'] } };
    const { text } = await bench.explain(chat({ models: ['plan-a', 'plan-b', 'plan-c'] }), limited);
    const { model, candidates, turns, stand_ins, passed_over } = JSON.parse(text);
    expect([model, candidates[0].provider, turns]).toEqual(['plan-a', a, ['plan-a', 'plan-c']]);
    expect(stand_ins).toMatchObject([{ model: 'plan-c', candidates: [{ provider: c, model: 'plan-c' }] }]);
    expect(passed_over).toEqual([
      { model: 'plan-b', reason: 'permission_denied', detail: expect.stringContaining('plan-b') },
    ]);
  });

  test('has only the first model if the client forbids others', async () => {
    const headers = { 'x-no-fallback': 'true' };
    const { text } = await bench.explain(chat(), { principal, headers });
    expect(JSON.parse(text)).toMatchObject({ model: 'plan-a', max_attempts: 1 });
    expect(JSON.parse(text)).not.toHaveProperty('turns');
  });

  test('of one model has none of this', async () => {
    const { text } = await bench.explain(chat({ models: ['plan-a'] }), ask);
    expect(JSON.parse(text)).not.toHaveProperty('turns');
  });
});

describe('what a request prefers', () => {
  const shared = { model: 'shared-model', models: undefined };
  const provider = async (body: object, options = ask) => (await answered(chat({ ...shared, ...body }), options)).model;

  test('the provider, in the body or in the header', async () => {
    expect(await provider({ provider: { order: [c] } })).toBe(`${c}/shared-model`);
    const headers = { 'x-provider-preferences': JSON.stringify({ only: [b] }) };
    expect(await provider({}, { principal, headers })).toBe(`${b}/shared-model`);
  });

  test('one of fifty providers, also of unknown and repeated ones', async () => {
    const order = [...Array.from({ length: 48 }, (_, at) => `unknown-${at % 24}`), c, b];
    expect(await provider({ provider: { order } })).toBe(`${c}/shared-model`);
  });

  test('the price, also as a part of the name', async () => {
    expect(await provider({ provider: { sort: 'price' } })).toBe(`${b}/shared-model`);
    expect(await provider({ model: 'shared-model:floor' })).toBe(`${b}/shared-model`);
  });

  test('of Messages, Responses, Gemini and text completions, whose vendor does not get it', async () => {
    const asked = { model: 'shared-model', provider: { only: [c] } };
    const messages = [{ role: 'user', content: 'Hi' }];
    for (const [api, body] of [
      ['messages', { ...asked, messages, max_tokens: 20 }],
      ['responses', { ...asked, input: 'Hi' }],
      ['completeText', { ...asked, prompt: 'Hi' }],
      ['generateContent', { ...asked, contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
    ] as const) {
      const { headers } = await bench.inApi(api, body, { ...ask, path: 'shared-model:generateContent' });
      expect([api, headers['x-tallyport-model']]).toEqual([api, `${c}/shared-model`]);
    }
  });

  test('is refused with each offer and member if none meets it', async () => {
    const { error } = await bench.ask(chat({ ...shared, provider: { only: ['elsewhere'] } }), ask);
    expect([error?.status, error?.param]).toEqual([400, 'provider']);
    expect(error?.message).toContain(`${a} (provider.only), ${b} (provider.only), ${c} (provider.only)`);
  });

  test.each([
    ['a member that it cannot promise', { zdr: true }, 'provider.zdr'],
    ['a value that is none', { sort: 'beauty' }, 'provider.sort'],
    ['no object', 'openai', 'provider'],
    ['more than fifty providers', { order: Array.from({ length: 51 }, () => c) }, 'provider.order'],
    ['10,000 providers', { ignore: Array.from({ length: 10_000 }, (_, at) => `p${at}`) }, 'provider.ignore'],
  ])('is refused: %s', async (_name, asked, param) => {
    const { error } = await bench.ask(chat({ ...shared, provider: asked }), ask);
    expect([error?.status, error?.param]).toEqual([400, param]);
  });
});

describe('refused lists', () => {
  test.each([
    ['only unknown models', ['plan-x', 'plan-y'], 404, 'model'],
    ['an empty list', [], 400, 'models'],
    ['no list', 'plan-a', 400, 'models'],
    ['an empty name', ['plan-a', ''], 400, 'models'],
    ['more than five', ['1', '2', '3', '4', '5', '6'], 400, 'models'],
    ['10,000', Array.from({ length: 10_000 }, (_, at) => `plan-${at}`), 400, 'models'],
    ['six times the same', Array.from({ length: 6 }, () => 'plan-a'), 400, 'models'],
  ])('%s', async (_name, listed, status, param) => {
    const { error } = await bench.ask(chat({ models: listed }), ask);
    expect([error?.status, error?.param]).toEqual([status, param]);
  });
});

test.each([[['plan-x', 'plan-a']], [['plan-a', 'plan-x']]])(
  'an unknown model in %j is passed over and named',
  async (listed) => {
    const { status, text } = await bench.ask(chat({ models: listed }), ask);
    const { model, metadata } = JSON.parse(text);
    expect([status, model]).toEqual([200, `${a}/plan-a`]);
    expect(metadata.not_tried).toEqual([
      { model: 'plan-x', reason: 'model_not_found', detail: expect.stringContaining("There is no model 'plan-x'.") },
    ]);
  },
);

test('a model that is listed twice is asked once', async () => {
  fails(a, 'status:500', 2);
  const { error } = await bench.ask(chat({ models: ['plan-a', 'plan-a', `${a}/plan-a`] }), ask);
  expect(error?.attempts).toHaveLength(1);
  bench.simulator.reset();
});

describe('other APIs', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  test('Messages', async () => {
    fails(a);
    const body = { messages, max_tokens: 20, models: ['plan-a', 'plan-b'], model: 'plan-a' };
    const { status, text } = await bench.inApi('messages', body, ask);
    expect([status, JSON.parse(text).model]).toEqual([200, 'plan-b']);
    fails(a);
    const streamed = await bench.inApi('messages', { ...body, stream: true }, ask);
    expect(streamed.text).toContain('"model":"plan-b"');
  });

  test('Responses', async () => {
    fails(a);
    const body = { input: 'Hi', models: ['plan-a', 'plan-b'] };
    const { status, text } = await bench.inApi('responses', body, ask);
    expect([status, JSON.parse(text).model]).toEqual([200, 'plan-b']);
    fails(a);
    const streamed = await bench.inApi('responses', { ...body, stream: true }, ask);
    expect(streamed.text).toContain('"model":"plan-b"');
    expect(streamed.text).not.toContain('"model":"plan-a"');
  });

  test('Gemini', async () => {
    fails(a);
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
    const options = { ...ask, path: 'plan-a:generateContent', headers: { 'x-fallback-models': 'plan-b' } };
    const { status, text } = await bench.inApi('generateContent', { contents }, options);
    expect([status, JSON.parse(text).modelVersion]).toEqual([200, 'plan-b']);
    for (const models of [['plan-b'], ['plan-a', 'plan-b'], ['plan-b', 'plan-a']]) {
      fails(a);
      const listed = await bench.inApi('generateContent', { contents, models }, { ...ask, path: options.path });
      expect([listed.status, JSON.parse(listed.text).modelVersion]).toEqual([200, 'plan-b']);
    }
  });
});
