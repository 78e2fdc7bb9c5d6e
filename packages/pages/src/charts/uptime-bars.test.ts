import { expect, test } from 'vitest';
import { render } from '../html.ts';
import { byDate, levelOf, meanUptime, percent, uptimeBars } from './uptime-bars.ts';

test.each([
  [1, 'good'],
  [0.99, 'good'],
  [0.9899, 'warn'],
  [0.95, 'warn'],
  [0.9499, 'bad'],
  [0, 'bad'],
  [undefined, 'none'],
] as const)('%s is %s', (uptime, level) => expect(levelOf(uptime).level).toBe(level));

test('a share is never rounded up to all', () => {
  expect([1, 0.99999, 0.9, 0].map(percent)).toEqual(['100 %', '99.99 %', '90 %', '0 %']);
});

const dates = ['2026-11-20', '2026-11-21', '2026-11-22'];
const days = byDate(
  [
    { day: '2026-11-22', uptime: 0.9 },
    { day: '2026-11-20', uptime: 1 },
    { day: '2026-11-01', uptime: 0 },
  ],
  dates,
);

test('each date has an entry, and days without calls do not count', () => {
  expect(days).toEqual([
    { day: '2026-11-20', uptime: 1 },
    { day: '2026-11-21', uptime: undefined },
    { day: '2026-11-22', uptime: 0.9 },
  ]);
  expect([meanUptime(days), meanUptime(byDate([], dates))]).toEqual([0.95, undefined]);
});

test('the bars are described in words', () => {
  const text = render(uptimeBars(days));
  expect(text).toContain('Uptime by day, known for 2 of 3 days, lowest 90 % on 2026-11-22.');
  expect(text.match(/class="(good|warn|bad|none)"/g)).toEqual(['class="good"', 'class="none"', 'class="bad"']);
  expect(text).toContain('<title>2026-11-21: no calls</title>');
  expect(render(uptimeBars(days, 'too few calls'))).toContain('<title>2026-11-21: too few calls</title>');
  expect(render(uptimeBars(byDate([], dates)))).toContain('The uptime of 3 days is not known.');
});
