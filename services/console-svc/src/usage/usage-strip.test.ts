import { GatewayError } from '@tallyport/contracts';
import { noSums } from '@tallyport/management/testing';
import { html, render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import type { DashboardRequest } from '../screen/route.ts';
import { readUsageNumbers } from './usage-numbers.ts';
import { stripOf, unlessUnreadable } from './usage-strip.ts';

const now = Date.parse('2026-11-03T12:00:00Z');
const point = (day: string, cost: string, changes: object = {}) => ({
  ...noSums,
  at: `${day}T00:00:00Z`,
  cost,
  requests: 10,
  ...changes,
});

/** Answers with usage of both months, and notes what was asked. */
function recorded() {
  const asked: unknown[] = [];
  const points = [
    point('2026-10-02', '3', { failed: 1 }),
    point('2026-10-20', '100'),
    point('2026-11-02', '4'),
    point('2026-11-03', '2', { failed: 4 }),
  ];
  const ask = async (name: string, input: object) => {
    asked.push([name, input]);
    if (name === 'readUsageSeries') return { points };
    const latency = (p95: number) => ({ durationMs: { count: 1, p50: 1, p95 } });
    return { groups: [{ group: '2026-11-02', ...latency(900) }], total: latency(900), before: latency(600) };
  };
  return { asked, ask: ask as DashboardRequest['ask'] };
}

test('a month is compared with as many days of the month before, and read from sums by day at two reads', async () => {
  const { asked, ask } = recorded();
  const numbers = await readUsageNumbers({ ask }, { key: 'key_1' }, now);
  const costs = (days: readonly { cost: number }[]) => days.map(({ cost }) => cost);
  expect([costs(numbers.now), costs(numbers.before)]).toEqual([
    [0, 4, 2],
    [0, 3, 0],
  ]);
  expect([numbers.today.cost, numbers.yesterday.cost, numbers.days.length]).toEqual([2, 4, 30]);
  expect(numbers.failed).toMatchObject({ now: 0.2, before: 0.1 });
  expect(numbers.p95).toEqual({ now: 900, before: 600, days: [undefined, 900, undefined] });
  const november = { from: '2026-11-01', to: '2026-11-03' };
  expect(asked).toEqual([
    ['readUsageSeries', { from: '2026-10-01', to: '2026-11-03', key: 'key_1', interval: 'day' }],
    ['readLatency', { ...november, before_from: '2026-10-01', before_to: '2026-10-03', key: 'key_1', by: 'day' }],
  ]);
});

test('thirty days are shown also after a short month', async () => {
  const numbers = await readUsageNumbers(recorded(), { key: 'key_1' }, Date.parse('2026-03-01T12:00:00Z'));
  expect([numbers.days.length, numbers.now.length, numbers.before.length]).toEqual([30, 1, 1]);
});

test('each number leads to what it is made of', async () => {
  const numbers = await readUsageNumbers(recorded(), { model: 'a/b' }, now);
  const strip = stripOf(
    {
      base: '/d',
      owner: { model: 'a/b' },
      hrefs: { cost: '/d/cost', latency: '/d/latency' },
      more: { href: '/d/analytics?x', text: 'Analytics' },
      note: '<b>',
    },
    numbers,
  );
  const page = render(strip);
  expect([...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    '/d/cost',
    '/d/requests?from=2026-11-03T00:00Z&amp;model=a%2Fb',
    '/d/requests?from=2026-11-01T00:00Z&amp;model=a%2Fb',
    '/d/latency',
    '/d/requests?from=2026-11-01T00:00Z&amp;model=a%2Fb&amp;error=any',
    '/d/requests?from=2026-11-01T00:00Z&amp;model=a%2Fb',
    '/d/analytics?x',
  ]);
  expect(page).toContain('&lt;b&gt;');
  expect(page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')).toContain('$6.00 +100 % from $3.00');
});

test('a page is shown also if the usage cannot be read, but not with a fault of its own', async () => {
  const away = unlessUnreadable(async () => {
    throw new GatewayError('internal_error', 'The ledger is away.');
  });
  expect(render(await away)).toContain('cannot be read at the moment');
  await expect(unlessUnreadable(async () => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours');
  expect(render(await unlessUnreadable(async () => html`<p>usage</p>`))).toBe('<p>usage</p>');
});
