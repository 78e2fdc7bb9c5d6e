import { expect, test } from 'vitest';
import { splitWeeks } from './weeks.ts';

const span = (from: string, until: string) => ({ from: new Date(from), until: new Date(until) });

test.each([
  ['a week', span('2026-11-02', '2026-11-09'), span('2026-11-02', '2026-11-09'), []],
  ['six days', span('2026-11-03', '2026-11-09'), undefined, [span('2026-11-03', '2026-11-09')]],
  ['seven days of two weeks', span('2026-11-03', '2026-11-10'), undefined, [span('2026-11-03', '2026-11-10')]],
  [
    'a week and a day before and after it',
    span('2026-11-01', '2026-11-10'),
    span('2026-11-02', '2026-11-09'),
    [span('2026-11-01', '2026-11-02'), span('2026-11-09', '2026-11-10')],
  ],
  [
    'years before 1970',
    span('1969-12-29', '1970-01-06'),
    span('1969-12-29', '1970-01-05'),
    [span('1970-01-05', '1970-01-06')],
  ],
])('splits %s into whole weeks and days', (_what, whole, weeks, days) => {
  expect(splitWeeks(whole)).toEqual({ weeks, days });
});
