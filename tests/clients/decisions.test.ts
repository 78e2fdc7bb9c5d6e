import { totalDollars } from '@tallyport/simulator';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Rig, startRig } from './rig.ts';

/** Tests decisions of the OpenAI SDK against vendors of both formats, through the whole gateway. */
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ further: () => ({ UNKNOWN_MODELS: 'allow' }) });
});
afterEach(() => rig.simulator.reset());
afterAll(() => rig.stop());

const decisions = (apiKey = rig.gateway.apiKey) =>
  new OpenAI({ baseURL: `${rig.gateway.baseUrl}/v1`, apiKey, maxRetries: 0 }).decisions;

const questions: OpenAI.DecisionCreateParams['questions'] = [
  { type: 'predicate', name: 'urgent', instructions: 'payout failed' },
  { type: 'choice', instructions: 'Who?', choices: [{ value: 'billing', description: 'payout' }, { value: 'sales' }] },
];

describe.each(['openai/gpt-6-luna', 'typesafe/jev-1.14.0', 'fireworks/some/decider'])('%s', (model) => {
  test('answers the questions of the SDK in order', async () => {
    const { answers, model: used } = await decisions().create({ model, input: 'The payout failed.', questions });
    expect(used).toBe(model);
    expect(answers).toMatchObject([
      { type: 'predicate', name: 'urgent', probability: expect.closeTo(0.95, 6) },
      { type: 'choice', name: null, choice: 'billing' },
    ]);
  });
});

test('costs what the vendor bills', async () => {
  const { usage } = await decisions().create({ model: 'typesafe/jev-1.14.0', input: 'The payout failed.', questions });
  const billed = rig.simulator.requests.flatMap((received) => rig.simulator.bill.itemsOf(received));
  expect(billed.length).toBe(1);
  expect(usage).toMatchObject({ cost: expect.closeTo(Number(totalDollars(billed)), 12) });
});

test('the same model chats and decides', async () => {
  const client = new OpenAI({ baseURL: `${rig.gateway.baseUrl}/v1`, apiKey: rig.gateway.apiKey, maxRetries: 0 });
  const model = 'openai/gpt-6-luna';
  const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] });
  expect(choices[0]?.message.content).toMatch(/\w/);
  const { answers } = await client.decisions.create({ model, input: 'Hi', questions });
  expect(answers.length).toBe(2);
});

test('raises errors', async () => {
  const failures = [
    decisions('sk-tp-none').create({ model: 'gpt-6-luna', input: 'Hello', questions }),
    decisions().create({ model: 'no-such-model', input: 'Hello', questions }),
    decisions().create({ model: 'text-embedding-3-small', input: 'Hello', questions }),
    decisions().create({ model: 'jev-latest', input: 'Hello', questions: [] }),
  ];
  const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
  expect(errors).toMatchObject([
    { status: 401, code: 'invalid_api_key' },
    { status: 404, code: 'model_not_found' },
    { status: 400, code: 'unsupported_capability', param: 'model' },
    { status: 400, code: 'invalid_parameters', param: 'questions' },
  ]);
});
