import type { Caller } from '@tallyport/contracts';
import { contentLogSchema } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { asInstallationAllows, checkMayKeep, contentLogOf } from './content-log-setting.ts';

const principal = { accountId: 'account', keyId: 'key' };
const caller: Caller = { principal: { ...principal, contentLog: { maxBytes: 4_096 } }, limits: {} };

test('services learn how much of a prompt is kept', () => {
  expect([contentLogOf(null), contentLogOf({ days: 7, maxBytes: 4_096, later: true })]).toEqual([
    {},
    { contentLog: { maxBytes: 4_096 } },
  ]);
});

test('without LOG_CONTENT no caller keeps content, even if the account has set it', () => {
  expect(asInstallationAllows(true, caller)).toBe(caller);
  expect(asInstallationAllows(false, caller)).toEqual({ principal, limits: {} });
});

test('without LOG_CONTENT, or without a master key, no account can turn it on', () => {
  expect(() => checkMayKeep(true, undefined)).not.toThrow();
  expect(() => checkMayKeep(false, undefined)).toThrow('The operator can allow it: LOG_CONTENT=true.');
  expect(() => checkMayKeep(true, 'SECRETS_KEY is not set')).toThrow('SECRETS_KEY is not set');
});

describe('the setting of an account', () => {
  test.each([
    [{ days: 1, maxBytes: 1_024 }, true],
    [{ days: 90, maxBytes: 262_144 }, true],
    [{ days: 0, maxBytes: 1_024 }, false],
    [{ days: 91, maxBytes: 1_024 }, false],
    [{ days: 1, maxBytes: 1_023 }, false],
    [{ days: 1, maxBytes: 262_145 }, false],
  ])('%j is valid: %s', (setting, isValid) => expect(contentLogSchema.safeParse(setting).success).toBe(isValid));
});
