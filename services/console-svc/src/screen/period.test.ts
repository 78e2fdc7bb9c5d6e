import { render, viewerIn } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { hasPeriod, periodIn } from './period.ts';
import { apiPeriod, fullName, type PeriodPart, shortName } from './period-parts.ts';
import { periodPicker } from './period-picker.ts';

const now = Date.parse('2026-03-30T09:30:00Z');

const askedFor = (query: Record<string, string>) => {
  const { unit, parts, before, isOpen, problem } = periodIn(query, now);
  const of = (some: readonly PeriodPart[]) => {
    const { from, to } = apiPeriod({ unit, parts: some });
    return `${from} ${to}`;
  };
  return [unit, of(parts), of(before), isOpen, problem];
};

test.each([
  [
    '24h',
    'hour',
    '2026-03-29T10:00:00.000Z 2026-03-30T10:00:00.000Z',
    '2026-03-28T10:00:00.000Z 2026-03-29T10:00:00.000Z',
  ],
  ['7d', 'day', '2026-03-24 2026-03-30', '2026-03-17 2026-03-23'],
  // February has no 29th or 30th day to compare with.
  ['month', 'day', '2026-03-01 2026-03-30', '2026-02-01 2026-02-28'],
  ['last-month', 'day', '2026-02-01 2026-02-28', '2026-01-01 2026-01-31'],
])('%s is by %s, with the same before it', (period, unit, parts, before) =>
  expect(askedFor({ period })).toEqual([unit, parts, before, period !== 'last-month', undefined]),
);

test('this month is compared with as many days of the month before', () => {
  const { parts, before } = periodIn({ period: 'month' }, Date.parse('2026-11-10T00:00:00Z'));
  expect([parts.length, before.length, before[0]?.group]).toEqual([10, 10, '2026-10-01']);
});

test('times of an address are those of its zone, and the sums are of the hours or days that contain them', () => {
  const inBerlin = { from: '2026-03-28T10:00', to: '2026-03-29T10:00', zone: 'Europe/Berlin' };
  const period = periodIn(inBerlin, now);
  // The clocks were changed in between.
  expect([period.from, period.to, period.query]).toEqual([
    '2026-03-28T09:00:00.000Z',
    '2026-03-29T08:00:00.000Z',
    { from: '2026-03-28T09:00:00.000Z', to: '2026-03-29T08:00:00.000Z' },
  ]);
  expect(askedFor(inBerlin)).toEqual([
    'hour',
    '2026-03-28T09:00:00.000Z 2026-03-29T08:00:00.000Z',
    '2026-03-27T10:00:00.000Z 2026-03-28T09:00:00.000Z',
    false,
    undefined,
  ]);
  expect(askedFor({ ...inBerlin, from: '2026-03-01T00:00' })).toEqual([
    'day',
    '2026-02-28 2026-03-29',
    '2026-01-29 2026-02-27',
    false,
    undefined,
  ]);
});

test('one of two times is enough, and the future has no parts', () => {
  expect(askedFor({ from: '2026-03-30T08:10:00Z' }).slice(0, 2)).toEqual([
    'hour',
    '2026-03-30T08:00:00.000Z 2026-03-30T10:00:00.000Z',
  ]);
  expect(periodIn({ from: '2026-03-30T08:10:00Z' }, now).query).toEqual({ from: '2026-03-30T08:10:00.000Z' });
  expect(askedFor({ to: '2026-03-20T00:00' }).slice(0, 2)).toEqual(['day', '2026-02-18 2026-03-19']);
  expect(askedFor({ from: '2026-03-30T00:00', to: '2026-05-30T00:00' }).slice(0, 4)).toEqual([
    'hour',
    '2026-03-30T00:00:00.000Z 2026-03-30T10:00:00.000Z',
    '2026-03-29T14:00:00.000Z 2026-03-30T00:00:00.000Z',
    true,
  ]);
});

test.each<Record<string, string>>([
  { from: 'yesterday' },
  { from: '2026-03-30T09:30' },
  { from: '2026-03-02', to: '2026-03-01' },
  { from: '2025-01-01', to: '2026-03-01' },
  { from: '1970-01-01', to: '1970-01-02' },
  { from: '<script>', to: '2026-03-01' },
])('what is wrong in %j is said, and the usual period is shown', (query) => {
  const period = periodIn(query, now);
  expect([period.name, period.problem]).toEqual(['30d', expect.stringContaining('before the end')]);
});

test('names that are none are the usual period, without a problem', () => {
  for (const period of ['', '1y', 'toString', '<b>'])
    expect(periodIn({ period }, now, '7d')).toMatchObject({ name: '7d', problem: undefined });
});

test('parts have names for the axis and for the table', () => {
  const names = (query: Record<string, string>): string[] => {
    const { parts, unit } = periodIn(query, now);
    return parts.slice(0, 1).flatMap((part) => [shortName(part, unit), fullName(part, unit)]);
  };
  expect(names({ period: '24h' })).toEqual(['10:00', '2026-03-29 10:00']);
  expect(names({ period: '7d' })).toEqual(['Mar 24', '2026-03-24']);
});

test('a page that can be without a period has a choice for it, which is chosen unless there is one', () => {
  const chosenOf = (query: Record<string, string>) => {
    const period = hasPeriod(query) ? periodIn(query, now) : undefined;
    const page = render(periodPicker({ action: '/a', period, kept: { ...query, q: 'x' }, all: 'All time' }));
    const [, href, text] = /href="([^"]+)"\s*aria-current="true"\s*>([^<]+)</.exec(page) ?? [];
    return [text, href, / open>/.test(page), /<input[^>]*value="([^"]*)"/.exec(page)?.[1]];
  };
  expect(chosenOf({ period: 'none' })).toEqual(['All time', '/a?q=x', false, '']);
  expect(chosenOf({ period: '7d' })).toEqual(['7 days', '/a?period=7d&amp;q=x', false, '2026-03-24T00:00']);
  expect(chosenOf({ from: '2026-03-30T08:00' })).toEqual([undefined, undefined, true, '2026-03-30T08:00']);
});

test('the picker keeps what else the address says, and shows the times in the zone of the viewer', () => {
  const period = periodIn({ from: '2026-03-30T00:00' }, now);
  const picker = periodPicker({ action: '/a', period, kept: { by: '"key"', period: '7d', zone: 'x' } });
  const page = render(picker, viewerIn('Europe/Berlin'));
  expect([...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toContain(
    '/a?period=last-month&amp;by=%22key%22',
  );
  expect([...page.matchAll(/\svalue="([^"]*)"/g)].map(([, value]) => value)).toEqual([
    '2026-03-30T02:00',
    '2026-03-30T11:30',
    'Europe/Berlin',
    '&quot;key&quot;',
  ]);
  expect(page).not.toContain('aria-current');
});
