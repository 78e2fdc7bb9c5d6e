import { expect, test } from 'vitest';
import { newAlertSchema, newGuardWebhookSchema } from './index.ts';

const url = 'https://example.com/';
const condition = { type: 'budget', scope: 'account', percent: 80 };
const inAlert = (secret: string) => newAlertSchema.safeParse({ name: 'a', condition, webhook: { url, secret } });
const inGuardrails = (secret: string) => newGuardWebhookSchema.safeParse({ name: 'dlp', url, secret });

test.each([
  ['32 characters', 'a'.repeat(32), true],
  ['31 characters', 'a'.repeat(31), false],
  ['256 characters', 'a'.repeat(256), true],
  ['257 characters', 'a'.repeat(257), false],
  ['padding', `${'a'.repeat(43)}=`, true],
  ['the prefix', `whsec_${'a'.repeat(43)}=`, true],
  ['another prefix', `secret_${'a'.repeat(43)}=`, false],
  ['other characters', `${'a'.repeat(43)}-`, false],
])('%s: alerts and guardrails accept the same secrets', (_name, secret, accepted) => {
  expect([inAlert(secret).success, inGuardrails(secret).success]).toEqual([accepted, accepted]);
});
