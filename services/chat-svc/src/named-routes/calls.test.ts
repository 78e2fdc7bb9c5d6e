import { type Routes, routeSchema } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { untilPasses } from '../../../../tests/support/probe.ts';
import { callModel, callOffer, callProviders, formOf, pairsOfCalls } from '../testing/call-models.ts';
import { type AskOptions, type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'account', keyId: 'key' };
const [a, b, c] = callProviders;

/** What the requests of a kind are recorded as. */
const operations = {
  embeddings: 'embeddings',
  moderations: 'moderation',
  speech: 'speech',
  transcriptions: 'transcription',
  image: 'image_generation',
};
const route = (members: object): Routes[string] => routeSchema.parse(members);
const perKind = Object.entries(operations).map(([kind, operation]) => [
  `${kind}-route`,
  route({
    targets: [{ model: `${kind}-a` }],
    then: [`${kind}-b`],
    when: [{ if: `request.api == "${operation}" && request.end_user == "ann"`, use: [`${kind}-b`] }],
  }),
]);
const facts = [
  'request.tokens == 2 && request.modalities.size() == 1 && "text" in request.modalities',
  'request.tools.size() == 0 && !request.stream && !request.structured_output',
  'request.end_user == "bob" && request.headers["x-route-tier"] == "gold"',
  'key.id == "key" && project.id == "" && account.id == "account" && budget.left < 0.5',
];
const routes: Routes = {
  ...Object.fromEntries(perKind),
  facts: route({ targets: [{ model: 'embeddings-a' }], when: [{ if: facts.join(' && '), use: ['embeddings-b'] }] }),
  pictures: route({
    targets: [{ model: 'moderations-a' }],
    when: [{ if: '"image" in request.modalities && request.tokens == 2', use: ['moderations-b'] }],
  }),
  halves: route({ targets: [{ model: 'embeddings-a' }, { model: 'embeddings-b' }] }),
  same: route({ targets: [{ model: `${a}/embeddings-all` }], then: ['embeddings-all'] }),
  mixed: route({ targets: [{ model: 'speech-a' }], then: ['embeddings-b'] }),
};

const everywhere = callModel(
  'embeddings-all',
  'embeddings',
  [a, b, c].map((provider) => callOffer(provider, 'sandbox-embedding')),
);

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [...pairsOfCalls, everywhere], routes },
    routes: async () => ({ mine: route({ targets: [{ model: 'embeddings-b' }] }) }),
    environment: { CACHE_TTL_SECONDS: '60' },
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.splice(0);
});
afterAll(() => bench.close());

const fails = (provider = a, fault = 'status:500', times = 1) => bench.simulator.faults.set({ provider, fault, times });
let sequence = 0;
const input = () => `Hi ${(sequence += 1)}`;

describe('the name of a route', () => {
  const once = (options: AskOptions = {}): AskOptions => ({
    principal,
    requestId: `req_route_${(sequence += 1)}`,
    ...options,
  });
  const asks: [string, string, (model: string, options: AskOptions) => ReturnType<ChatBench['embed']>][] = [
    ['embeddings', 'embeddings', (model, options) => bench.embed({ model, input: input(), dimensions: 2 }, options)],
    ['moderations', 'moderations', (model, options) => bench.moderate({ model, input: input() }, options)],
    ['speech', 'speech', (model, options) => bench.speak({ model, input: input(), voice: 'alloy' }, options)],
    ['a transcription', 'transcriptions', (model, options) => bench.transcribe(formOf([['model', model]]), options)],
    [
      'a translation',
      'transcriptions',
      (model, options) => bench.transcribe(formOf([['models', model]]), { ...options, task: 'translate' }),
    ],
    [
      "Google's embeddings",
      'embeddings',
      (model, options) =>
        bench.inApi(
          'generateContent',
          { content: { parts: [{ text: input() }] }, outputDimensionality: 2 },
          { ...options, path: `${model}:embedContent` },
        ),
    ],
  ];

  test.each(asks)('is that of its models in %s', async (_name, kind, ask) => {
    fails();
    const options = once();
    const { status, headers } = await ask(`${kind}-route`, options);
    expect([status, headers['x-tallyport-model'], headers['x-tallyport-attempts']]).toEqual([
      200,
      `${b}/${kind}-b`,
      '2',
    ]);
    const records = () => bench.usage.filter(({ requestId }) => requestId === options.requestId);
    await untilPasses(() =>
      expect(records()).toMatchObject([
        {
          requestedModel: `${kind}-route`,
          model: `${kind}-b`,
          provider: b,
          status: 200,
          attempts: [{ provider: a, model: `${kind}-a` }, { provider: b }],
          details: { route: { name: `${kind}-route`, owner: 'operator', reason: 'then' } },
        },
      ]),
    );
    expect(bench.simulator.requests.map(({ body }) => String(body)).join()).not.toContain('-route');
  });

  test.each(asks)('stands for what its conditions choose by the API in %s', async (name, kind, ask) => {
    const { headers } = await ask(`${kind}-route`, once({ headers: { 'x-end-user': 'ann' } }));
    const isOther = name === 'a translation';
    expect(headers['x-tallyport-model']).toBe(isOther ? `${a}/${kind}-a` : `${b}/${kind}-b`);
  });

  test.each(asks)('gives a key no model that it may not use in %s', async (_name, kind, ask) => {
    const limited = { principal: { ...principal, allowedModels: [`${kind}-route`, 'chats'] } };
    const answer = await ask(`${kind}-route`, once(limited));
    expect([answer.status, answer.error?.code, answer.error?.message ?? answer.text]).toEqual([
      403,
      'permission_denied',
      `This API key may not use '${kind}-a'.`,
    ]);
    expect(bench.simulator.requests).toEqual([]);
  });

  test('lets conditions read every fact of a request', async () => {
    const budgets = { key: { amount: '0.4', period: 'month' } } as const;
    const options = once({ principal: { ...principal, budgets }, headers: { 'x-route-tier': 'gold' } });
    const asked = { model: 'facts', input: 'Name me', user: 'bob' };
    expect((await bench.embed(asked, options)).headers['x-tallyport-model']).toBe(`${b}/embeddings-b`);
    const others: [object, AskOptions][] = [
      [{ user: 'ann' }, options],
      [{ input: 'Name me all' }, options],
      [{}, { ...options, headers: {} }],
      [{}, { ...options, principal }],
    ];
    for (const [changes, other] of others) {
      const { headers } = await bench.embed({ ...asked, ...changes }, other);
      expect(headers['x-tallyport-model']).toBe(`${a}/embeddings-a`);
    }
  });

  test('lets conditions see an image', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const moderated = async (parts: object[]) =>
      (await bench.moderate({ model: 'pictures', input: [{ type: 'text', text: 'Name me' }, ...parts] }, once()))
        .headers['x-tallyport-model'];
    expect([await moderated([]), await moderated([image])]).toEqual([`${a}/moderations-a`, `${b}/moderations-b`]);
  });

  test('names the route in the answer, which is kept', async () => {
    const body = { model: 'embeddings-route', input: 'one two', dimensions: 2 };
    const answers = [];
    for (let count = 0; count < 2; count += 1) answers.push(await bench.embed(body, once()));
    expect(answers.map(({ headers, text }) => [headers['x-tallyport-cache'], JSON.parse(text)])).toMatchObject([
      [
        'MISS',
        { model: `${a}/embeddings-a`, metadata: { requested_model: 'embeddings-route', used_model: 'embeddings-a' } },
      ],
      [
        'HIT',
        { model: `${a}/embeddings-a`, metadata: { requested_model: 'embeddings-route', used_model: 'embeddings-a' } },
      ],
    ]);
    expect(await bench.metrics()).toMatch(
      /gateway_named_routes_total\{name="embeddings-route",model="embeddings-a",reason="weight"\} [1-9]/,
    );
  });

  test('needs one length of vectors if it has several models', async () => {
    const body = { model: 'embeddings-route', input: input() };
    const message =
      'Several models need `dimensions`, because the vectors of each have a length of their own. Vectors of different models cannot be compared.';
    const { error } = await bench.embed(body, once());
    expect([error?.status, error?.param, error?.message]).toEqual([400, 'dimensions', message]);
    expect((await bench.explain(body, { principal, query: 'path=/v1/embeddings' })).error?.message).toBe(message);
    const content = { parts: [{ text: input() }] };
    const google = await bench.inApi('generateContent', { content }, once({ path: 'embeddings-route:embedContent' }));
    expect([google.status, google.error?.message]).toEqual([
      400,
      message.replace('dimensions', 'outputDimensionality'),
    ]);
    expect(bench.simulator.requests).toEqual([]);
    expect((await bench.embed(body, once({ headers: { 'x-no-fallback': 'true' } }))).status).toBe(200);
    expect((await bench.embed({ ...body, model: 'facts' }, once())).status).toBe(200);
  });

  test('takes its place in a list', async () => {
    fails(a);
    fails(b);
    const body = {
      models: ['embeddings-route', 'embeddings-all', 'embeddings-b'],
      input: input(),
      dimensions: 2,
    };
    const { headers, text } = await bench.embed(body, once());
    expect(headers['x-tallyport-model']).toMatch(/embeddings-all$/);
    expect(JSON.parse(text).metadata.routing.map(({ model }: { model: string }) => model)).toEqual([
      'embeddings-a',
      'embeddings-b',
      'embeddings-all',
    ]);
  });

  test('is not tried twice at an offer that two names bring', async () => {
    fails(a, 'status:500', 9);
    const { text } = await bench.embed({ model: 'same', input: input(), dimensions: 2 }, once());
    const tried = JSON.parse(text).metadata.routing.map(({ provider }: { provider: string }) => provider);
    expect([tried[0], new Set(tried).size]).toEqual([a, tried.length]);
  });

  test('passes over a model of another kind', async () => {
    const body = { model: 'mixed', input: input(), dimensions: 2 };
    expect((await bench.embed(body, once())).headers['x-tallyport-model']).toBe(`${b}/embeddings-b`);
  });

  test('keeps the same prompt with its target', async () => {
    const target = async (text: string) =>
      (await bench.embed({ model: 'halves', input: text, dimensions: 2 }, once({ headers: { 'x-no-cache': 'true' } })))
        .headers['x-tallyport-model'];
    const first = await Promise.all(Array.from({ length: 12 }, (_, index) => target(`prompt ${index}`)));
    const again = await Promise.all(Array.from({ length: 12 }, (_, index) => target(`prompt ${index}`)));
    expect(again).toEqual(first);
    expect(new Set(first).size).toBe(2);
  });

  test('is that of the account, and of no other', async () => {
    const body = { model: 'mine', input: input() };
    const own = { principal: { ...principal, routesVersion: '1' } };
    expect((await bench.embed(body, once(own))).headers['x-tallyport-model']).toBe(`${b}/embeddings-b`);
    const { error } = await bench.embed(body, once({ principal: { accountId: 'other', keyId: 'key' } }));
    expect([error?.status, error?.code]).toEqual([404, 'model_not_found']);
  });
});

describe('the explanation', () => {
  test.each<[string, string | undefined, object]>([
    ['embeddings', undefined, { input: 'Hi', dimensions: 2 }],
    ['embeddings', '/v1/embeddings', { input: 'Hi', dimensions: 2 }],
    ['moderations', '/v1/moderations', { input: 'Hi' }],
    ['speech', '/v1/audio/speech', { input: 'Hi', voice: 'alloy' }],
    ['transcriptions', '/v1/audio/transcriptions', { language: 'en' }],
    ['image', undefined, { prompt: 'a lamp' }],
    ['image', '/v1/images/generations', { prompt: 'a lamp' }],
  ])('has the route of %s with the path %s', async (kind, path, body) => {
    const name = `${kind}-route`;
    const conditions = (result: string) => [
      {
        if: `request.api == "${operations[kind as keyof typeof operations]}" && request.end_user == "ann"`,
        use: [`${kind}-b`],
        result,
      },
    ];
    const target = { model: `${kind}-a`, weight: 1, share: 1 };
    const decided = { name, owner: 'operator', on_content_filter: 'stop' };
    const explain = async (headers: Record<string, string> = {}) => {
      const options = { principal, headers, ...(path !== undefined && { query: `path=${path}` }) };
      return JSON.parse((await bench.explain({ ...body, model: name }, options)).text);
    };
    const explained = await explain();
    expect(explained).toMatchObject({
      requested_model: name,
      model: `${kind}-a`,
      turns: [`${kind}-a`, `${kind}-b`],
      candidates: [{ provider: a, model: `${kind}-a` }],
      stand_ins: [{ requested_model: name, model: `${kind}-b`, candidates: [{ provider: b }] }],
      passed_over: [],
    });
    expect(explained.routes).toEqual([
      {
        ...decided,
        conditions: conditions('false'),
        targets: [{ ...target, chosen: true }],
        models: [
          { model: `${kind}-a`, reason: 'weight' },
          { model: `${kind}-b`, reason: 'then' },
        ],
      },
    ]);
    const byCondition = await explain({ 'x-end-user': 'ann' });
    expect(byCondition).toMatchObject({ requested_model: name, model: `${kind}-b` });
    expect(byCondition.routes).toEqual([
      {
        ...decided,
        conditions: conditions('true'),
        targets: [{ ...target, chosen: false }],
        models: [{ model: `${kind}-b`, reason: 'condition' }],
      },
    ]);
  });
});
