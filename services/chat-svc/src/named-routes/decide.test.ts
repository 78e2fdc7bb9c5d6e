import { type LoadedRoute, type Principal, routeSchema } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const jev = sharedModelEntry({
  id: 'jev',
  aliases: [],
  outputModalities: ['decisions'],
  offers: [offerOf('typesafe', { modelName: 'jev-1.14.0', pricing: { prompt: '0.001' } })],
});
const embedding = (id: string) =>
  sharedModelEntry({
    id,
    aliases: [],
    outputModalities: ['embeddings'],
    offers: sandboxProviders.map((provider) => offerOf(provider.id, { modelName: 'sandbox-embedding' })),
  });
const chatting = (id: string) => sharedModelEntry({ id, aliases: [] });

/** The simulated model finds a statement true if all of its words are in the text. */
const when = [
  { if: 'decide("jev", "write code", 0.0) > 0.9', use: ['coder'] },
  { if: 'decide("jev", "write code", 0.0) > 0.4 && decide("jev", "legal advice", 0.0) < 0.9', use: ['half'] },
  { if: 'decide("jev", "legal advice", 1.0, 100) > 0.9', use: ['lawyer'] },
];
const routes: Record<string, LoadedRoute> = {
  smart: { ...routeSchema.parse({ targets: [{ model: 'plain' }], when }), shadow: undefined },
  vectors: {
    ...routeSchema.parse({
      targets: [{ model: 'plain-vectors' }],
      when: [{ if: 'decide("jev", "write code", 0.0) > 0.9', use: ['code-vectors'] }],
    }),
    shadow: undefined,
  },
  twice: { ...routeSchema.parse({ targets: [{ model: 'plain' }], when: when.slice(0, 1) }), shadow: undefined },
};

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: {
      version: '1',
      models: [
        jev,
        ...['plain', 'coder', 'half', 'lawyer'].map(chatting),
        ...['plain-vectors', 'code-vectors'].map(embedding),
      ],
    },
    environment: ({ baseUrl }) => ({ TYPESAFE_API_KEY: 'key', TYPESAFE_BASE_URL: baseUrl('typesafe') }),
    routes: async () => routes,
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const principal: Principal = { accountId: 'account', keyId: 'key', routesVersion: '1' };
const asked = () => bench.simulator.requests.filter(({ provider }) => provider === 'typesafe');
const questionsOf = () => asked().map(({ body }) => JSON.parse(String(body)));
const chat = (content: unknown, model: object = { model: 'smart' }) => ({
  ...model,
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'legal advice' },
    { role: 'user', content },
  ],
});
let sequence = 0;
async function usedBy(body: object, options: AskOptions = {}) {
  const requestId = `req_${(sequence += 1)}`;
  const { text, error } = await bench.ask(body, { principal, requestId, ...options });
  return { requestId, error, model: text === '' ? undefined : JSON.parse(text).metadata.used_model };
}

test.each([
  ['Please write code for me', 'coder'],
  ['Please write', 'half'],
  ['I need legal advice', 'lawyer'],
  ['Good morning', 'plain'],
  [
    [
      { type: 'text', text: 'Please write' },
      { type: 'text', text: 'code' },
    ],
    'coder',
  ],
])('%j goes to %s, and the model is asked once for all conditions', async (content, model) => {
  expect((await usedBy(chat(content))).model).toBe(model);
  expect(questionsOf()).toMatchObject([
    {
      state: expect.not.stringContaining('Hello'),
      questions: { statement_1: { instructions: 'write code' }, statement_2: { instructions: 'legal advice' } },
    },
  ]);
});

test('the decision is recorded and paid beside the request', async () => {
  const { requestId } = await usedBy(chat('Please write code'));
  const records = () => bench.usage.filter((record) => record.requestId === requestId);
  await expect
    .poll(() =>
      records()
        .map(({ operation }) => operation)
        .toSorted(),
    )
    .toEqual(['chat', 'decision']);
  const decision = records().find(({ operation }) => operation === 'decision');
  expect(decision).toMatchObject({ accountId: 'account', keyId: 'key', model: 'jev', source: 'reported' });
  expect(Number(decision?.cost)).toBeCloseTo((decision?.tokens.input ?? 0) * 0.001, 9);
});

test('several routes of a request ask once', async () => {
  await usedBy(chat('Good morning', { models: ['smart', 'twice'] }));
  expect(asked()).toHaveLength(1);
});

test('without an answer in time each condition has its default', async () => {
  bench.simulator.faults.set({ provider: 'typesafe', fault: 'status:500', times: 5 });
  expect((await usedBy(chat('Please write code'))).model).toBe('lawyer');
  expect(asked()).toHaveLength(1);
  expect(await bench.metrics()).toContain(
    'gateway_asked_decisions_duration_seconds_count{by="route",outcome="failed"} 1',
  );
});

test('a model that hangs is left after the time of the condition', async () => {
  bench.simulator.faults.set({ provider: 'typesafe', fault: 'hang', times: 1 });
  const hurried = [{ if: 'decide("jev", "write code", 1.0, 50) > 0.9', use: ['coder'] }];
  routes['hurried'] = { ...routeSchema.parse({ targets: [{ model: 'plain' }], when: hurried }), shadow: undefined };
  const version = { ...principal, routesVersion: '2' };
  expect((await usedBy(chat('Hello', { model: 'hurried' }), { principal: version })).model).toBe('coder');
});

test('nothing is asked about a request without text, or one that names no such route', async () => {
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(8)}` } };
  await bench.ask(
    {
      model: 'smart',
      messages: [
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: [image] },
      ],
    },
    { principal },
  );
  expect((await usedBy(chat('Please write code', { model: 'plain' }))).model).toBe('plain');
  expect(asked()).toEqual([]);
});

test('at most 8,000 characters are asked about', async () => {
  await usedBy(chat('x'.repeat(8_001)));
  expect(questionsOf()[0].state).toHaveLength(8_000);
});

test('the first text of another API is asked about', async () => {
  const { text } = await bench.embed(
    { model: 'vectors', input: ['Please write code', 'Hello'], dimensions: 8 },
    { principal },
  );
  expect(JSON.parse(text).metadata.used_model).toBe('code-vectors');
  expect(questionsOf()).toMatchObject([{ state: 'Please write code' }]);
});

test('an explanation asks no model, and has the defaults', async () => {
  const { text } = await bench.explain(chat('Please write code'), { principal });
  const { model, routes: explained } = JSON.parse(text);
  expect([model, explained[0].conditions.map(({ result }: { result: string }) => result)]).toEqual([
    'lawyer',
    ['false', 'false', 'true'],
  ]);
  expect(asked()).toEqual([]);
});

test('a caller that leaves ends the question', async () => {
  bench.simulator.faults.set({ provider: 'typesafe', fault: 'hang', times: 1 });
  const leaving = new AbortController();
  const slow = [{ if: 'decide("jev", "write code", 1.0, 5000) > 0.9', use: ['coder'] }];
  routes['slow'] = { ...routeSchema.parse({ targets: [{ model: 'plain' }], when: slow }), shadow: undefined };
  const version = { ...principal, routesVersion: '3' };
  const asking = usedBy(chat('Hello', { model: 'slow' }), { principal: version, signal: leaving.signal });
  await bench.simulator.waitFor(() => asked().length === 1);
  leaving.abort();
  expect((await asking).error?.code).toBe('client_closed_request');
});
