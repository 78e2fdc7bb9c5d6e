import type { DecisionPolicy, Guardrails } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { compileGuard } from './guard.ts';

type Settings = Pick<NonNullable<NonNullable<Guardrails['answer']>['webhook']>, 'onFailure' | 'portion' | 'timeoutMs'>;

const legal: DecisionPolicy = { name: 'legal', policy: 'It is legal.', action: 'flag' };
const rude: DecisionPolicy = { name: 'rude', policy: 'It is rude.', action: 'block' };
const rules = (name: string, settings: Settings, policy = legal): Guardrails => ({
  answer: { webhook: { name, ...settings }, decision: { model: name, policies: [policy], ...settings } },
});
const askedBy = (...policies: Guardrails[]) => compileGuard(policies).answer?.asked;

test('a key cannot shorten the time of the rule of its account', () => {
  const account = rules('a', { onFailure: 'allow', timeoutMs: 5_000, portion: 200 });
  const key = rules('a', { onFailure: 'allow', timeoutMs: 100, portion: 300 }, rude);
  const both = { onFailure: 'allow', timeoutMs: 5_000, portion: 300 };
  expect(askedBy(account, key)).toEqual({
    webhooks: [{ name: 'a', ...both }],
    decisions: [{ model: 'a', policies: [legal, rude], ...both }],
  });
});

test('one that blocks without an answer outranks one that lets pass, and what is missing is the default', () => {
  const short = rules('a', { onFailure: 'allow', timeoutMs: 100, portion: 200 });
  const both = { onFailure: 'block', timeoutMs: 2_000, portion: 1_000 };
  expect(askedBy(rules('a', { onFailure: 'block' }), short)).toEqual({
    webhooks: [{ name: 'a', ...both }],
    decisions: [{ model: 'a', policies: [legal, legal], ...both }],
  });
});

test('rules of another name stay by themselves', () => {
  const [one, other] = [rules('a', { onFailure: 'block', timeoutMs: 100 }), rules('b', { onFailure: 'allow' })];
  expect(askedBy(one, other)?.decisions).toEqual([
    { model: 'a', policies: [legal], onFailure: 'block', timeoutMs: 100, portion: 1_000 },
    { model: 'b', policies: [legal], onFailure: 'allow', timeoutMs: 2_000, portion: 1_000 },
  ]);
});
