import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'acc_1', keyId: 'key_1' };
const model = 'sandbox-decision';
const decider = sharedModelEntry({
  id: model,
  aliases: [],
  outputModalities: ['decisions'],
  offers: sandboxProviders.map(({ id }) => offerOf(id, { modelName: model, pricing: { prompt: '0.001' } })),
});
const jev = sharedModelEntry({
  id: 'jev',
  aliases: [],
  outputModalities: ['decisions'],
  offers: [offerOf('typesafe', { modelName: 'jev-1.14.0', pricing: { prompt: '0.001' } })],
});

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [decider, jev, sharedModelEntry()] },
    environment: ({ baseUrl }) => ({
      CACHE_TTL_SECONDS: '60',
      TYPESAFE_API_KEY: 'key',
      TYPESAFE_BASE_URL: baseUrl('typesafe'),
    }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const predicate = { type: 'predicate', name: 'urgent', instructions: 'payout failed' };
const choice = { type: 'choice', instructions: 'Who?', choices: [{ value: 'payout' }, { value: true }] };
const score = { type: 'score', instructions: 'How?', levels: [{ label: 'calm' }, { label: 'failed' }] };
const request = { model, input: 'The payout failed.', questions: [predicate, choice, score] };
const asState = {
  model,
  state: { text: 'The payout failed.' },
  questions: {
    urgent: { type: 'noul', instructions: 'payout failed' },
    who: { type: 'choice', instructions: 'Who?', criteria: { billing: 'payout', sales: 'nothing' } },
    anger: { type: 'score', instructions: 'How?', criteria: ['calm', 'failed'] },
  },
};
/** The records of requests with this id; they arrive after the response. */
const recordsOf = (id: string) => bench.usage.filter(({ requestId }) => requestId === id);
const bodyOf = ({ text }: { text: string }) => JSON.parse(text);
const close = (value: number) => expect.closeTo(value, 6);

test.each([model, 'jev'])('%s answers in the form of OpenAI, and what it read is recorded', async (id) => {
  const requestId = `list_${id}`;
  const answer = await bench.decide({ ...request, model: id }, { principal, requestId });
  const { answers, usage, model: used, metadata } = bodyOf(answer);
  const provider = answer.headers['x-tallyport-provider'];
  const first = id === 'jev' ? 0 : 1;
  expect([answer.status, used, answers]).toEqual([
    200,
    `${provider}/${id}`,
    [
      { type: 'predicate', name: 'urgent', probability: close(0.95) },
      {
        type: 'choice',
        name: null,
        choice: 'payout',
        confidence: expect.any(Number),
        probabilities: [
          { value: 'payout', probability: expect.any(Number) },
          { value: true, probability: expect.any(Number) },
        ],
      },
      {
        type: 'score',
        name: null,
        score: expect.any(Number),
        confidence: expect.any(Number),
        probabilities: [
          { label: 'calm', value: first, probability: expect.any(Number) },
          { label: 'failed', value: first + 1, probability: expect.any(Number) },
        ],
      },
    ],
  ]);
  expect(usage).toMatchObject({
    output_tokens: 0,
    total_tokens: usage.input_tokens,
    cost: close(usage.input_tokens / 1_000),
  });
  expect(metadata.request_id).toBe(requestId);
  await expect
    .poll(() => recordsOf(requestId))
    .toMatchObject([
      {
        operation: 'decision',
        model: id,
        provider,
        tokens: { input: usage.input_tokens, output: 0 },
        source: 'reported',
      },
    ]);
});

test.each([model, 'jev'])('%s answers in the form of System One, with scores from 0', async (id) => {
  const { answers } = bodyOf(await bench.decideState({ ...asState, model: id }, { principal }));
  const { anger } = answers;
  expect(answers).toEqual({
    urgent: { type: 'noul', noul: close(0.95) },
    who: {
      type: 'choice',
      choice: 'billing',
      confidence: expect.any(Number),
      probabilities: { billing: expect.any(Number), sales: expect.any(Number) },
    },
    anger: {
      type: 'score',
      score: close(anger.probabilities['1']),
      confidence: expect.any(Number),
      legend: { 0: 'calm', 1: 'failed' },
      probabilities: { 0: expect.any(Number), 1: expect.any(Number) },
    },
  });
});

test('a question that is declined leaves the others', async () => {
  const declined = { type: 'predicate', name: 'no', instructions: '[decline]' };
  const list = bodyOf(await bench.decide({ ...request, questions: [declined, predicate] }, { principal }));
  expect(list.answers).toEqual([
    { type: 'refusal', name: 'no' },
    { type: 'predicate', name: 'urgent', probability: close(0.95) },
  ]);
  const map = bodyOf(
    await bench.decideState(
      { ...asState, questions: { no: { type: 'noul', instructions: '[decline]' } } },
      { principal },
    ),
  );
  expect(map.answers).toEqual({ no: { type: 'refusal' } });
});

test('answers a repeated request from the cache, in its own form, at no cost', async () => {
  const text = 'of the cache';
  const questions = { urgent: { type: 'noul', instructions: 'cache' } };
  const asked = { model, input: text, questions: [{ type: 'predicate', name: 'urgent', instructions: 'cache' }] };
  const first = await bench.decide(asked, { principal });
  const second = await bench.decide({ ...asked, safety_identifier: 'other' }, { principal });
  const state = await bench.decideState({ model, state: text, questions }, { principal });
  expect([first, second, state].map(({ headers }) => headers['x-tallyport-cache'])).toEqual(['MISS', 'HIT', 'MISS']);
  expect(bodyOf(second)).toEqual({
    ...bodyOf(first),
    usage: { ...bodyOf(first).usage, cost: 0 },
    metadata: expect.objectContaining({ cached: true, routing: [] }),
  });
  expect(bodyOf(state).answers).toEqual({ urgent: { type: 'noul', noul: expect.any(Number) } });
});

test('an Idempotency-Key of one form is not that of the other', async () => {
  const options = { principal, headers: { 'idempotency-key': 'once', 'x-no-cache': 'true' } };
  const first = await bench.decide(request, options);
  expect((await bench.decide(request, options)).text).toBe(first.text);
  expect((await bench.decideState(asState, options)).status).not.toBe(200);
});

test.each(['status:503', 'status:429', 'cut:40', 'error-in-200', 'reset'])(
  'tries another provider after %s',
  async (fault) => {
    const [failing = ''] = bench.providers;
    bench.simulator.faults.set({ provider: failing, fault });
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await bench.decide({ ...request, input: `${fault} ${count}` }, { principal });
      expect([status, headers['x-tallyport-provider'] === failing]).toEqual([200, false]);
    }
  },
);

const many = (count: number) => Array.from({ length: count }, () => predicate).map(({ name: _name, ...rest }) => rest);

test.each([
  [{ input: undefined }, 'invalid_parameters', 'input'],
  [{ input: '' }, 'invalid_parameters', 'input'],
  [{ input: [] }, 'invalid_parameters', 'input'],
  [{ questions: undefined }, 'invalid_parameters', 'questions'],
  [{ questions: [] }, 'invalid_parameters', 'questions'],
  [{ questions: many(401) }, 'invalid_parameters', 'questions'],
  [{ questions: [predicate, predicate] }, 'invalid_parameters', 'questions[1].name'],
  [{ questions: [{ ...predicate, type: 'box' }] }, 'invalid_parameters', 'questions[0].type'],
  [{ questions: [{ ...choice, choices: [{ value: 'a' }] }] }, 'invalid_parameters', 'questions[0].choices'],
  [{ questions: [{ ...score, levels: [] }] }, 'invalid_parameters', 'questions[0].levels'],
  [{ questions: [{ ...predicate, instructions: '' }] }, 'invalid_parameters', 'questions[0].instructions'],
  [
    { model: 'jev', questions: [{ ...choice, choices: [{ value: 'true' }, { value: true }] }] },
    'unsupported_capability',
    'questions',
  ],
  [
    { model: 'jev', input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] },
    'unsupported_capability',
    'input',
  ],
  [{ model: 'sandbox-chat' }, 'unsupported_capability', 'model'],
])('refuses %o', async (changes, code, param) => {
  const { error } = await bench.decide({ ...request, ...changes }, { principal });
  expect(error).toMatchObject({ status: 400, code, param });
  expect(bench.simulator.requests).toEqual([]);
});

const noul = { type: 'noul', instructions: 'x' };
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`q${at}`, noul]));

test.each([
  [{ state: undefined }, 'invalid_parameters', 'state'],
  [{ questions: {} }, 'invalid_parameters', 'questions'],
  [{ questions: [noul] }, 'invalid_parameters', 'questions'],
  [{ questions: named(401) }, 'invalid_parameters', 'questions'],
  [{ questions: JSON.parse('{"__proto__":{"type":"noul","instructions":"x"}}') }, 'invalid_parameters', 'questions'],
  [{ questions: { a: { ...noul, type: 'box' } } }, 'invalid_parameters', 'questions.a.type'],
  [
    { questions: { a: { type: 'choice', instructions: 'x', criteria: {} } } },
    'invalid_parameters',
    'questions.a.criteria',
  ],
  [
    { questions: { a: { type: 'score', instructions: 'x', criteria: [] } } },
    'invalid_parameters',
    'questions.a.criteria',
  ],
  [
    { questions: { a: { type: 'choice', instructions: 'x', criteria: { b: 'b' } } } },
    'unsupported_capability',
    'questions',
  ],
])('refuses %o of System One', async (changes, code, param) => {
  const { error } = await bench.decideState({ ...asState, ...changes }, { principal });
  expect(error).toMatchObject({ status: 400, code, param });
  expect(bench.simulator.requests).toEqual([]);
});

test('accepts 400 questions', async () => {
  const { answers } = bodyOf(await bench.decide({ ...request, questions: many(400) }, { principal }));
  expect(answers.length).toBe(400);
});

test('a budget holds the images of a request before a provider is called', async () => {
  const budgets = { key: { amount: '1', period: 'total' } } as const;
  const poor = (keyId: string) => ({ principal: { accountId: 'poor', keyId, budgets } });
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
  const input = [{ role: 'user', content: [{ type: 'input_text', text: 'payout' }, image] }];
  expect((await bench.decide({ ...request, input }, poor('one'))).status).toBe(402);
  expect(bench.simulator.requests).toEqual([]);
  expect((await bench.decide(request, poor('two'))).status).toBe(200);
});

test('refuses chats with a model that decides', async () => {
  const chat = await bench.ask({ model, messages: [{ role: 'user', content: 'Hi' }] }, { principal });
  expect(chat.error?.message).toBe(`'${model}' makes decisions, not chats. Send it to POST /v1/decisions.`);
});

test('rules of an account see the text, the questions and their options', async () => {
  const guardrails = [{ request: { patterns: [{ name: 'secret', pattern: 'S-\\d+', action: 'redact' as const }] } }];
  const guarded = { principal: { ...principal, guardrails } };
  const questions = [{ ...choice, instructions: 'S-2', choices: [{ value: 'a', description: 'S-3' }, { value: 'b' }] }];
  expect((await bench.decide({ ...request, input: 'S-1', questions }, guarded)).status).toBe(200);
  const stated = { a: { type: 'noul', instructions: 'S-2' } };
  expect((await bench.decideState({ model, state: { deep: ['S-1'] }, questions: stated }, guarded)).status).toBe(200);
  expect(bench.simulator.requests.map(({ body }) => /S-\d/.test(String(body)))).toEqual([false, false]);
});

test('counts durations and refusals', async () => {
  await bench.decide({ ...request, input: 'counted' }, { principal });
  await bench.decide({ ...request, questions: [] }, { principal });
  await expect.poll(() => bench.metrics()).toMatch(/gateway_decisions_refused_total\{.*invalid_parameters.*\} \d/);
  expect(await bench.metrics()).toMatch(/gateway_request_duration_seconds_count\{operation="decision"/);
});
