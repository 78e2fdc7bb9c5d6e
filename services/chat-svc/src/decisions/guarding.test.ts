import type { DecisionPolicy, Guardrails, Principal } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { sharedModel } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const jev = sharedModelEntry({
  id: 'jev',
  aliases: [],
  outputModalities: ['decisions'],
  offers: [offerOf('typesafe', { modelName: 'jev-1.14.0', pricing: { prompt: '0.001' } })],
});

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [jev, sharedModelEntry()] },
    environment: ({ baseUrl }) => ({ TYPESAFE_API_KEY: 'key', TYPESAFE_BASE_URL: baseUrl('typesafe') }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

/** The simulated model finds a statement true if all of its words are in the text. */
const weapons: DecisionPolicy = { name: 'weapons', policy: 'build weapons', action: 'block' };
const legal: DecisionPolicy = { name: 'legal', policy: 'my lawyer', action: 'flag' };
const rule = { model: 'jev', onFailure: 'block' as const, policies: [weapons, legal] };
const callerWith = (guardrails: Guardrails, changes: Partial<Principal> = {}): Principal => ({
  accountId: 'account',
  keyId: 'key',
  guardrails: [guardrails],
  ...changes,
});
const guarded = callerWith({ request: { decision: rule } });
const failingOpen = callerWith({ request: { decision: { ...rule, onFailure: 'allow' } } });

let sequence = 0;
const recordsOf = (id: string) => bench.usage.filter(({ requestId }) => requestId === id);
const asked = (provider: string) => bench.simulator.requests.filter((request) => request.provider === provider);
const others = () => bench.simulator.requests.filter(({ provider }) => provider !== 'typesafe');

interface Asking extends AskOptions {
  /** Awaited after the answer. */
  records?: number;
  stream?: boolean;
}

async function ask(content: string, principal: Principal, { records = 2, stream = false, ...options }: Asking = {}) {
  const requestId = `req_${(sequence += 1)}`;
  const body = { model: sharedModel, messages: [{ role: 'user', content }], ...(stream && { stream }) };
  const { status, error, text } = await bench.ask(body, { principal, requestId, ...options });
  await expect.poll(() => recordsOf(requestId)).toHaveLength(records);
  const found = recordsOf(requestId);
  const of = (operation: string) => found.find((record) => record.operation === operation);
  return { status, error, text, decision: of('decision'), chat: of('chat') };
}

test('a policy that blocks refuses the request, and its decision is paid and recorded', async () => {
  const { status, error, decision, chat } = await ask('How do I build weapons?', guarded);
  expect([status, error?.code, error?.message]).toEqual([
    400,
    'guardrail_blocked',
    expect.stringContaining("blocked by the rule 'decision:weapons'"),
  ]);
  expect(others()).toEqual([]);
  expect(decision).toMatchObject({
    accountId: 'account',
    keyId: 'key',
    model: 'jev',
    provider: 'typesafe',
    status: 200,
    source: 'reported',
    tokens: { output: 0 },
  });
  expect(Number(decision?.cost)).toBeCloseTo((decision?.tokens.input ?? 0) * 0.001, 9);
  expect(chat).toMatchObject({
    endReason: 'refused',
    cost: '0',
    guardrails: [{ rule: 'decision:weapons', action: 'block', count: 1 }],
  });
});

test('a policy that flags lets the request pass, and its record says so', async () => {
  const { status, chat } = await ask('What did my lawyer say?', guarded);
  expect([status, chat?.guardrails]).toEqual([200, [{ rule: 'decision:legal', action: 'flag', count: 1 }]]);
  expect(asked('typesafe')).toHaveLength(1);
});

test('of what no policy is about, the record has no finding', async () => {
  const { status, chat } = await ask('Hello', guarded);
  expect([status, chat?.guardrails]).toEqual([200, undefined]);
});

test('a model that fails refuses the request, if its rule says so', async () => {
  bench.simulator.faults.set({ provider: 'typesafe', fault: 'status:500', times: 5 });
  const { status, error, decision } = await ask('Hello', guarded, { records: 1 });
  expect([status, error?.code, others()]).toEqual([503, 'unavailable', []]);
  expect(decision).toMatchObject({ cost: '0', attempts: [{ provider: 'typesafe', status: 500 }] });
});

test('a model that fails lets the request pass, if its rule says so', async () => {
  bench.simulator.faults.set({ provider: 'typesafe', fault: 'status:500', times: 5 });
  const { status, chat } = await ask('Hello', failingOpen);
  expect([status, chat?.guardrails]).toEqual([
    200,
    [
      { rule: 'decision:weapons', action: 'skip', count: 1 },
      { rule: 'decision:legal', action: 'skip', count: 1 },
    ],
  ]);
});

test('a model that does not answer is left after the time of the rule', async () => {
  bench.simulator.faults.set({ provider: 'typesafe', fault: 'hang', times: 1 });
  const hurried = callerWith({ request: { decision: { ...rule, onFailure: 'allow', timeoutMs: 100 } } });
  const { status, decision } = await ask('Hello', hurried);
  expect([status, decision?.endReason]).toEqual([200, 'max_duration']);
});

test.each<[string, Partial<Principal>]>([
  ['which the key may not use', { allowedModels: [sharedModel] }],
  ['whose provider the key may not use', { allowedProviders: ['sandbox-a'] }],
  ['which the budget cannot pay', { budgets: { key: { amount: '0.000001', period: 'total' } }, keyId: 'poor' }],
])('a model %s does not decide, and is not called', async (_name, changes) => {
  const { status } = await ask('Hello', { ...guarded, ...changes }, { records: 0 });
  expect([status, bench.simulator.requests]).toEqual([503, []]);
});

test('its tokens count against no limit of the key', async () => {
  const limited = { ...guarded, keyId: 'limited', tokensPerMinute: { key: 40 } };
  for (let turn = 0; turn < 2; turn += 1) {
    const { headers } = await bench.ask(
      { model: sharedModel, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] },
      { principal: limited, requestId: 'req_limited' },
    );
    expect(Number(headers['x-ratelimit-remaining-tokens'])).toBeGreaterThan(0);
  }
});

test("a client's own decisions are guarded once, and those of the rule never", async () => {
  const questions = [{ type: 'predicate', instructions: 'Is it?' }];
  const { status } = await bench.decide({ model: 'jev', input: 'Hello', questions }, { principal: guarded });
  expect([status, asked('typesafe').length]).toEqual([200, 2]);
});

const answering = callerWith({ answer: { decision: { ...rule, portion: 200 } } });

test('a whole answer is decided about before any of it is sent', async () => {
  const { status, error, chat } = await ask('How do I build weapons?', answering);
  expect([status, error?.message]).toEqual([400, expect.stringContaining('The answer was blocked')]);
  expect(chat).toMatchObject({
    endReason: 'error',
    error: 'guardrail_blocked',
    guardrails: [{ rule: 'decision:weapons', action: 'block', count: 1 }],
  });
});

test('of a streamed answer, each portion is', async () => {
  const { status, text } = await ask('Hello', answering, { stream: true });
  expect([status, text]).toEqual([200, expect.stringContaining('[DONE]')]);
  const blocked = await ask('How do I build weapons?', answering, { stream: true });
  expect(blocked.text).toContain("blocked by the rule 'decision:weapons'");
  expect(blocked.text).not.toContain('weapons?');
});

test('an explanation asks no model', async () => {
  const messages = [{ role: 'user', content: 'How do I build weapons?' }];
  const { status, text } = await bench.explain({ model: sharedModel, messages }, { principal: guarded });
  expect([status, JSON.parse(text).guardrails, bench.simulator.requests]).toEqual([200, [], []]);
});

test('the caller that leaves ends the question', async () => {
  bench.simulator.faults.set({ provider: 'typesafe', fault: 'hang', times: 1 });
  const leaving = new AbortController();
  const patient = callerWith({ request: { decision: { ...rule, timeoutMs: 10_000 } } });
  const asking = ask('Hello', patient, { records: 1, signal: leaving.signal });
  await bench.simulator.waitFor(() => asked('typesafe').length === 1);
  leaving.abort();
  const { error, decision } = await asking;
  expect([error?.code, decision?.endReason]).toEqual(['client_closed_request', 'client_gone']);
  expect(others()).toEqual([]);
});
