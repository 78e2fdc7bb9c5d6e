import { expect, test } from 'vitest';
import { instantIn } from './instant-in.ts';

const textOf = (text: string, zone?: string): string | undefined => {
  const time = instantIn(text, zone);
  return time === undefined ? undefined : new Date(time).toISOString();
};

test.each([
  ['2026-11-03T14:00', undefined, '2026-11-03T14:00:00.000Z'],
  ['2026-11-03T14:00', 'Europe/Berlin', '2026-11-03T13:00:00.000Z'],
  ['2026-11-03', 'Asia/Kolkata', '2026-11-02T18:30:00.000Z'],
  ['2026-11-03T14:00', 'Mars/Olympus', '2026-11-03T14:00:00.000Z'],
  ['2026-11-03T14:00:30.5Z', 'Europe/Berlin', '2026-11-03T14:00:30.500Z'],
  ['2026-11-03T14:00:00+02:00', 'Europe/Berlin', '2026-11-03T12:00:00.000Z'],
  // The clocks change at 01:00 UTC.
  ['2026-03-29T00:30', 'Europe/Berlin', '2026-03-28T23:30:00.000Z'],
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('%s in %s is %s', (text, zone, expected) => expect(textOf(text, zone)).toBe(expected));

test.each(['', 'yesterday', '2026', '2026-13-01T00:00', '+12026-01-01T00:00', '<b>Z', '2026-11-03T14:00 z'])(
  '%j is no time',
  (text) => expect(textOf(text)).toBeUndefined(),
);
