import { expect, test } from 'vitest';
import { cleanName } from './clean-name.ts';

test.each([
  ['  Editor ', 'Editor'],
  ['A\r\nSet-Cookie: a=b', 'A Set-Cookie: a=b'],
  ['safe\u202Etxe.exe', 'safe txe.exe'],
  ['a\u0000b\u200Bc', 'a b c'],
  ['x'.repeat(101), 'x'.repeat(100)],
  ['\u{1F511}'.repeat(101), '\u{1F511}'.repeat(100)],
  ['\n\u200B ', undefined],
  [7, undefined],
  [undefined, undefined],
])('shows %j as %j', (name, shown) => {
  expect(cleanName(name)).toBe(shown);
});
