import { expect, test } from 'vitest';
import { endUserName, endUserOf, longestEndUser } from './end-user.ts';

const header = (text: string) => ({ headers: { 'x-end-user': text } });
const none = { headers: {} };

test.each([
  ['the header before the body', header('ann'), { safety_identifier: 'bob', user: 'cy' }, 'ann'],
  ['safety_identifier before user', none, { safety_identifier: 'bob', user: 'cy' }, 'bob'],
  ['user last', none, { user: 'cy' }, 'cy'],
  ['nothing', none, {}, undefined],
  ['blank texts as absent', header(' \t '), { safety_identifier: '\0', user: ' cy ' }, 'cy'],
  ['values that are no text as absent', none, { safety_identifier: 7, user: null }, undefined],
])('takes %s', (_title, head, body, expected) => {
  expect(endUserOf(head, body)).toBe(expected);
});

test('a header is read as UTF-8 like a body, or as Latin-1', () => {
  const sent = Buffer.from('Zoë 日本').toString('latin1');
  expect(endUserOf(header(sent))).toBe('Zoë 日本');
  expect(endUserOf(header('Zo\u00eb'))).toBe('Zoë');
});

test('a name of the longest length is kept, and one beyond is replaced by its hash', () => {
  const longest = 'a'.repeat(longestEndUser);
  expect(endUserName(` ${longest}\n`)).toBe(longest);
  expect(endUserName(`${longest}b`)).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(endUserName(`${longest}b`)).not.toBe(endUserName(`${longest}c`));
});

test('harmful characters are left out', () => {
  expect(endUserName('a\0b\u001b[31m\u2028\u202ec\ud800')).toBe('ab[31mc\ufffd');
  expect(endUserName('👩‍👧 x')).toBe('👩‍👧 x');
});
