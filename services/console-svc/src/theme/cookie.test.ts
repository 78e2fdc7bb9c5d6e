import { expect, test } from 'vitest';
import { themeCookie, themeOf } from './cookie.ts';

test.each([
  ['dark', 'dark', 'tallyport-theme=dark; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=31536000'],
  ['light', 'light', 'tallyport-theme=light; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=31536000'],
  ['system', undefined, 'tallyport-theme=; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=0'],
  ['dark; Domain=example.com', undefined, 'tallyport-theme=; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=0'],
])('a choice is kept if it is a theme: %s', (chosen, theme, header) => {
  expect(themeCookie(chosen)).toBe(header);
  expect(themeOf(`other=1; ${header.split(';')[0]}; last=2`)).toBe(theme);
});

test('without a choice the system decides', () => {
  expect([themeOf(undefined), themeOf('tallyport-theme=pink'), themeOf('x-tallyport-theme=dark')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
