import { expect, test } from 'vitest';
import { guardrailsSchema } from './guardrails.ts';

const pattern = { name: 'a', pattern: 'a', action: 'block' };
const webhook = { name: 'dlp', onFailure: 'block' };
const policy = { name: 'a', policy: 'It is a.', action: 'flag' };
const withPolicies = (...policies: object[]) => ({
  request: { decision: { model: 'jev', onFailure: 'allow', policies } },
});
const labels = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`label-${at}`, 'block']));
const labelled = (count: number) => withPolicies({ name: 'a', policy: 'Which?', labels: labels(count) });

test.each<[string, object, object]>([
  [
    '20 patterns',
    { request: { patterns: Array(20).fill(pattern) } },
    { request: { patterns: Array(21).fill(pattern) } },
  ],
  [
    'patterns of 200 characters',
    { request: { patterns: [{ ...pattern, pattern: 'a'.repeat(200) }] } },
    { request: { patterns: [{ ...pattern, pattern: 'a'.repeat(201) }] } },
  ],
  [
    'names of 40 characters',
    { request: { patterns: [{ ...pattern, name: 'a'.repeat(40) }] } },
    { request: { patterns: [{ ...pattern, name: 'a'.repeat(41) }] } },
  ],
  ['one character', { request: { maxCharacters: 1 } }, { request: { maxCharacters: 0 } }],
  ['100 million characters', { request: { maxCharacters: 100_000_000 } }, { request: { maxCharacters: 100_000_001 } }],
  [
    '100 ms',
    { request: { webhook: { ...webhook, timeoutMs: 100 } } },
    { request: { webhook: { ...webhook, timeoutMs: 99 } } },
  ],
  [
    '10 seconds',
    { answer: { webhook: { ...webhook, timeoutMs: 10_000 } } },
    { answer: { webhook: { ...webhook, timeoutMs: 10_001 } } },
  ],
  [
    'portions of 200',
    { answer: { webhook: { ...webhook, portion: 200 } } },
    { answer: { webhook: { ...webhook, portion: 199 } } },
  ],
  [
    'portions of 32,768',
    { answer: { webhook: { ...webhook, portion: 32_768 } } },
    { answer: { webhook: { ...webhook, portion: 32_769 } } },
  ],
  ['64 held characters', { answer: { holdBack: 64 } }, { answer: { holdBack: 63 } }],
  ['4,096 held characters', { answer: { holdBack: 4096 } }, { answer: { holdBack: 4097 } }],
  ['one policy', withPolicies(policy), withPolicies()],
  ['10 policies', withPolicies(...Array(10).fill(policy)), withPolicies(...Array(11).fill(policy))],
  [
    'policies of 1,000 characters',
    withPolicies({ ...policy, policy: 'a'.repeat(1_000) }),
    withPolicies({ ...policy, policy: 'a'.repeat(1_001) }),
  ],
  ['a threshold of 1', withPolicies({ ...policy, threshold: 1 }), withPolicies({ ...policy, threshold: 1.01 })],
  ['2 labels', labelled(2), labelled(1)],
  ['20 labels', labelled(20), labelled(21)],
  ['an action without labels', withPolicies(policy), withPolicies({ ...policy, labels: labels(2) })],
  ['an action that does something', withPolicies(policy), withPolicies({ ...policy, action: 'allow' })],
  ['a way for undecided texts', { request: { onTimeout: 'allow' } }, { request: { onTimeout: 'redact' } }],
])('%s: at the limit and one beyond it', (_name, within, beyond) => {
  expect(guardrailsSchema.parse(within)).toEqual(within);
  expect(guardrailsSchema.safeParse(beyond).success).toBe(false);
});
