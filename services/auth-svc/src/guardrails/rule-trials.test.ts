import type { Guardrails } from '@tallyport/contracts';
import { afterAll, expect, test } from 'vitest';
import { createRuleTrials } from './rule-trials.ts';

const trials = createRuleTrials();
afterAll(() => trials.stop());
const tried = (policies: Guardrails[], text: string) =>
  trials.run({ accountId: 'a' }, { policies, part: 'request', text });

const webhook = { name: 'dlp', onFailure: 'block' as const };
const decision = {
  model: 'jev',
  onFailure: 'allow' as const,
  policies: [{ name: 'legal', policy: 'It asks for legal advice.', action: 'flag' as const }],
};
const email = (action: 'block' | 'redact') => ({ request: { detect: { email: action }, webhook, decision } });

test.each([
  ['no rule', [], { verdict: 'allow', text: 'To ada@example.com', findings: [], webhooks: [], models: [] }],
  [
    'a rule of the other part',
    [{ answer: { detect: { email: 'block' as const } } }],
    { verdict: 'allow', text: 'To ada@example.com', findings: [], webhooks: [], models: [] },
  ],
  [
    'a rule that redacts',
    [email('redact')],
    {
      verdict: 'redact',
      text: 'To [email]',
      findings: [{ rule: 'email', action: 'redact', count: 1 }],
      webhooks: ['dlp'],
      models: ['jev'],
    },
  ],
  [
    'two policies of which one blocks',
    [email('redact'), email('block')],
    { verdict: 'block', findings: [{ rule: 'email', action: 'block', count: 1 }], webhooks: [], models: [] },
  ],
])('%s', async (_name, policies, expected) => {
  expect(await tried(policies, 'To ada@example.com')).toEqual(expected);
});

const slow = (at: number) =>
  ({ name: `slow${at}`, pattern: `[a-c]{1,110}[0-9]{${at + 1}}`, action: 'redact' }) as const;

test('patterns that take long are tried in a thread, while other work goes on', async () => {
  const patterns = Array.from({ length: 20 }, (_, at) => slow(at));
  let [turns, isOver] = [0, false];
  const trial = tried([{ request: { patterns } }], 'abc'.repeat(6_600)).finally(() => (isOver = true));
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect(turns).toBeGreaterThan(20);
  expect(await trial).toEqual({ verdict: 'allow', text: 'abc'.repeat(6_600), findings: [], webhooks: [], models: [] });
});
