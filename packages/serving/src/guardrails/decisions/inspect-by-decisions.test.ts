import type { DecisionPolicy, GatewayError } from '@tallyport/contracts';
import { createTally, type DecisionRule } from '@tallyport/guardrails';
import type { DecisionAnswer, DecisionCall } from '@tallyport/providers';
import { expect, test } from 'vitest';
import { mostDecisionCharacters } from './decision-call.ts';
import { inspectByDecisions } from './inspect-by-decisions.ts';

const head = { requestId: 'req_1', timeoutMs: 1_000, headers: {}, principal: { accountId: 'a', keyId: 'k' } };
const legal: DecisionPolicy = { name: 'legal', policy: 'It asks for legal advice.', action: 'flag' };
const arms: DecisionPolicy = { name: 'arms', policy: 'It is about weapons.', action: 'block', threshold: 0.8 };
const topic: DecisionPolicy = {
  name: 'topic',
  policy: 'About what?',
  labels: { law: 'flag', arms: 'block', no: 'allow' },
};
const ruleOf = (policies: DecisionPolicy[], onFailure: 'allow' | 'block' = 'block'): DecisionRule => ({
  model: 'jev',
  policies,
  onFailure,
  timeoutMs: 1_000,
  portion: 1_000,
});
const predicate = (probability: number): DecisionAnswer => ({ type: 'predicate', probability });
const choice = (chosen: number, probability: number): DecisionAnswer => ({
  type: 'choice',
  chosen,
  confidence: probability,
  probabilities: [0, 1, 2].map((at) => (at === chosen ? probability : (1 - probability) / 2)),
});

interface Inspected {
  texts?: string[];
  before?: string[];
}

async function inspect(
  rules: DecisionRule[],
  answers: readonly DecisionAnswer[] | undefined,
  { texts = ['One.', 'Two.'], ...others }: Inspected = {},
) {
  const tally = createTally();
  const calls: DecisionCall[] = [];
  const decider = {
    ask: async ({ call }: { call: DecisionCall }) => {
      calls.push(call);
      return answers;
    },
  };
  const { signal } = new AbortController();
  const asked = { head, part: 'request', decisions: rules, texts, tally, signal, ...others } as const;
  const error = await inspectByDecisions(decider, asked).then(
    () => undefined,
    ({ code, message }: GatewayError) => ({ code, message }),
  );
  return { calls, error, findings: tally.findings() };
}

test('one call has all policies of a model and all texts', async () => {
  const { calls } = await inspect([ruleOf([legal, topic])], [predicate(0), choice(2, 1)]);
  expect(calls).toEqual([
    {
      subject: { kind: 'input', input: 'One.\n\nTwo.' },
      questions: [
        { type: 'predicate', name: 'policy_1', instructions: legal.policy },
        {
          type: 'choice',
          name: 'policy_2',
          instructions: topic.policy,
          choices: [{ value: 'law' }, { value: 'arms' }, { value: 'no' }],
        },
      ],
      hints: {},
    },
  ]);
});

test('of a stream it has the end of what was sent before', async () => {
  const { calls } = await inspect([ruleOf([legal])], [predicate(0)], { before: ['Zero. ', ''] });
  expect(calls).toMatchObject([{ subject: { input: 'Zero. One.\n\nTwo.' } }]);
});

test.each([[[]], [['']], [['', ' \n']]])('nothing is asked about the texts %j', async (texts) => {
  expect(await inspect([ruleOf([legal])], undefined, { texts })).toEqual({ calls: [], error: undefined, findings: [] });
});

const blockedBy = (rule: string) => ({
  code: 'guardrail_blocked',
  message: `The request was blocked by the rule '${rule}' of the account's guardrails. Remove what the rule forbids, or ask an admin of the account.`,
});
const undecided = {
  code: 'unavailable',
  message:
    "The model 'jev' of the account's guardrails did not decide about the request. Try again later, or ask an admin of the account.",
};
const found = (rule: string, action: string) => ({ rule, action, count: 1 });

test.each<[string, DecisionPolicy[], DecisionAnswer[], object[], object | undefined]>([
  ['a statement below a half', [legal], [predicate(0.49)], [], undefined],
  ['a statement of a half', [legal], [predicate(0.5)], [found('decision:legal', 'flag')], undefined],
  ['a statement below its threshold', [arms], [predicate(0.79)], [], undefined],
  [
    'a statement of its threshold',
    [arms],
    [predicate(0.8)],
    [found('decision:arms', 'block')],
    blockedBy('decision:arms'),
  ],
  ['a label that flags', [topic], [choice(0, 0.4)], [found('decision:topic', 'flag')], undefined],
  ['a label that blocks', [topic], [choice(1, 0.4)], [found('decision:topic', 'block')], blockedBy('decision:topic')],
  ['a label that allows', [topic], [choice(2, 0.4)], [], undefined],
  [
    'a label that is none',
    [{ ...topic, threshold: 0.5 }],
    [choice(3, 1)],
    [found('decision:topic', 'block')],
    undecided,
  ],
  ['a label below its threshold', [{ ...topic, threshold: 0.5 }], [choice(1, 0.4)], [], undefined],
  [
    'one that flags beside one that blocks',
    [legal, arms],
    [predicate(1), predicate(1)],
    [found('decision:legal', 'flag'), found('decision:arms', 'block')],
    blockedBy('decision:arms'),
  ],
  ['a refusal', [legal], [{ type: 'refusal' }], [found('decision:legal', 'block')], undecided],
  ['an answer to another kind of question', [topic], [predicate(1)], [found('decision:topic', 'block')], undecided],
  [
    'one that is refused beside one that blocks',
    [legal, arms],
    [{ type: 'refusal' }, predicate(1)],
    [found('decision:arms', 'block')],
    blockedBy('decision:arms'),
  ],
])('%s', async (_name, policies, answers, findings, error) => {
  expect(await inspect([ruleOf(policies)], answers)).toMatchObject({ findings, error });
});

test.each([
  ['block', undecided, 'block'],
  ['allow', undefined, 'skip'],
] as const)('without an answer, rules that %s do so', async (onFailure, error, action) => {
  const findings = [found('decision:legal', action), found('decision:arms', action)];
  expect(await inspect([ruleOf([legal, arms], onFailure)], undefined)).toMatchObject({ error, findings });
});

test('longer texts than the most are not asked about, and count as undecided', async () => {
  const ask = (length: number) => inspect([ruleOf([legal])], [predicate(0)], { texts: ['x'.repeat(length)] });
  expect(await ask(mostDecisionCharacters)).toMatchObject({ error: undefined, findings: [] });
  expect(await ask(mostDecisionCharacters + 1)).toMatchObject({ calls: [], error: undecided });
});
