import { expect, test } from 'vitest';
import { timeZoneCookie, viewerOf } from './cookie.ts';

const zoneOf = (header: string | undefined): string => viewerOf(header).timeZone;

test('keeps a chosen zone', () => {
  expect(timeZoneCookie('Europe/Berlin')).toBe(
    'tallyport-time-zone=Europe/Berlin; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=31536000',
  );
  expect(zoneOf('a=b; tallyport-time-zone=America/Argentina/Buenos_Aires; c=d')).toBe('America/Argentina/Buenos_Aires');
});

test.each([[undefined], [''], ['tallyport-time-zone=Mars/Olympus'], ['tallyport-time-zone=<b>'], ['x=Europe/Berlin']])(
  'is in UTC with the cookies %j',
  (header) => {
    expect(zoneOf(header)).toBe('UTC');
  },
);
