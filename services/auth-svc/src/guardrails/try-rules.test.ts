import { expect, test } from 'vitest';
import { tryRules } from './try-rules.ts';

const webhook = { name: 'dlp', onFailure: 'block' as const };
const email = (action: 'block' | 'redact') => ({ request: { detect: { email: action }, webhook } });

test.each([
  ['no rule', [], { verdict: 'allow', text: 'To ada@example.com', findings: [], webhooks: [] }],
  [
    'a rule of the other part',
    [{ answer: { detect: { email: 'block' as const } } }],
    { verdict: 'allow', text: 'To ada@example.com', findings: [], webhooks: [] },
  ],
  [
    'a rule that redacts',
    [email('redact')],
    {
      verdict: 'redact',
      text: 'To [email]',
      findings: [{ rule: 'email', action: 'redact', count: 1 }],
      webhooks: ['dlp'],
    },
  ],
  [
    'two policies of which one blocks',
    [email('redact'), email('block')],
    { verdict: 'block', findings: [{ rule: 'email', action: 'block', count: 1 }], webhooks: [] },
  ],
])('%s', (_name, policies, expected) => {
  expect(tryRules(policies, 'request', 'To ada@example.com')).toEqual(expected);
});
