import type { Guardrails } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import type { RuleWork } from './rule-messages.ts';
import { RuleThread } from './rule-thread.ts';

const work: RuleWork = {
  policies: [{ request: { detect: { email: 'redact' } } }],
  part: 'request',
  document: { input: 'ada@example.com' },
};
const slow: Guardrails = {
  request: { patterns: [{ name: 'slow', pattern: '[a-c]{1,110}[0-9]', action: 'redact' }] },
};
const reply = { findings: [{ rule: 'email', action: 'redact', count: 1 }], redacted: { input: '[email]' } };

test('a thread that ends has no reply, and the next work gets another one', async () => {
  const thread = new RuleThread();
  expect(await thread.redact(work)).toEqual(reply);
  const lost = thread.redact({ ...work, policies: [slow], document: { input: `${'abc'.repeat(200_000)}1` } });
  await thread.end();
  expect(await lost).toBeUndefined();
  expect(await thread.redact(work)).toEqual(reply);
  await thread.end();
  // Also one that ended while it had no work.
  expect(await thread.redact(work)).toEqual(reply);
  await thread.end();
});

test('a thread that takes too long is ended', async () => {
  const thread = new RuleThread(1);
  expect(await thread.redact(work)).toBeUndefined();
  await thread.end();
});
