import { expect, test } from 'vitest';
import { timeZoneCookie, viewerOf } from './cookie.ts';

const zoneOf = (header: string | undefined): string => viewerOf(header).timeZone;

test('keeps a chosen zone', () => {
  expect(timeZoneCookie('Europe/Berlin')).toBe(
    'switchyard-time-zone=Europe/Berlin; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=31536000',
  );
  expect(zoneOf('a=b; switchyard-time-zone=America/Argentina/Buenos_Aires; c=d')).toBe(
    'America/Argentina/Buenos_Aires',
  );
});

test.each([
  [undefined],
  [''],
  ['switchyard-time-zone=Mars/Olympus'],
  ['switchyard-time-zone=<b>'],
  ['x=Europe/Berlin'],
])('is in UTC with the cookies %j', (header) => {
  expect(zoneOf(header)).toBe('UTC');
});
