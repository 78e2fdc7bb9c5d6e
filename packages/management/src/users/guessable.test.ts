import { expect, test } from 'vitest';
import { newPasswordSchema } from './password-schema.ts';
import { patient } from '../../../../tests/support/patience.ts';

const refusal = 'is easy to guess; use several unrelated words, or a password manager';

test.each([
  'aaaaaaaaaaaaaaa',
  'a'.repeat(256),
  'abcdefghijklmno',
  '123456789012345',
  '9876543210987654',
  'abcabcabcabcabc',
  'passwordpassword',
  'Password12345!',
  'P4ssw0rd!2026!',
  'p@$$w0rdp@$$w0rd',
  'qwertyuiop1234',
  '1qaz2wsx3edc4rfv',
  'iloveyouiloveyou',
  'welcome-2026-!!!',
  'Administrator1!',
  'tallyport1234',
  '            ',
  '\u{1F600}'.repeat(12),
])('refuses %s', (password) => {
  expect(newPasswordSchema.safeParse(password).error?.issues.map(({ message }) => message)).toEqual([refusal]);
});

test.each([
  'correct horse battery',
  'a long password',
  'four words in a row',
  'xkqmwzpyrtbn',
  'Zo\u00eb likes caf\u00e9s',
  '\u6b63\u786e\u7684\u9a6c\u7535\u6c60\u8ba2\u4e66\u9488\u516b\u4e5d\u5341',
  'b7Fz-0qLw-Kd93',
])('accepts %s', (password) => {
  expect(newPasswordSchema.safeParse(password)).toEqual({ success: true, data: password });
});

test('requires five different characters outside of common words', () => {
  expect(newPasswordSchema.safeParse('password-xkqmw').success).toBe(true);
  expect(newPasswordSchema.safeParse('password-xkqm').success).toBe(false);
});

test('checks the longest password quickly', () => {
  const start = performance.now();
  for (const text of ['ab', 'p4ssw0rd', '@4$3', 'qaz', '1'])
    newPasswordSchema.safeParse(text.repeat(256).slice(0, 256));
  expect(performance.now() - start).toBeLessThan(patient(5_000));
});
