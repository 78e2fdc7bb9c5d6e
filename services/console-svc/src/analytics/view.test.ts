import { gzipSync } from 'node:zlib';
import { render } from '@tallyport/pages';
import { describe, expect, test } from 'vitest';
import { periodIn } from '../screen/period.ts';
import type { LatencyGroup } from './charts.ts';
import type { UsageGroup } from './groups.ts';
import { noTotals } from './totals.ts';
import { analyticsPage } from './view.ts';

const now = Date.parse('2026-11-23T12:00:00Z');

/** A page with as much as it can have: twenty groups, six of them and the rest in charts, each with usage in each part. */
function fullPage(query: Record<string, string>, changes: Partial<Parameters<typeof analyticsPage>[0]> = {}): string {
  const period = periodIn(query, now);
  const total = { ...noTotals, cost: 12.34, requests: 1_234, failed: 3, tokensIn: 123_456, tokensOut: 12_345 };
  const parts = new Map(period.parts.map(({ at }) => [at, total]));
  const groupOf = (id: string | undefined): UsageGroup => ({ id, title: id ?? 'All others', total, parts });
  const ids = Array.from({ length: 20 }, (_, at) => `an-example-of-a-model-name-${at}`);
  const latencyOf = (group: string, at?: string): LatencyGroup => ({
    group,
    at,
    durationMs: { count: 1, p50: 1_234, p95: 5_678 },
  });
  const numbers = { totals: total, latency: latencyOf('') };
  const charted = ids.slice(0, 6);
  return render(
    analyticsPage({
      base: '/dashboard/an-account-with-a-name',
      period,
      by: 'model',
      filter: {},
      sort: 'p95.change',
      columns: undefined,
      hasGroupTimes: query['latency'] === 'groups',
      table: query['table'],
      groups: [...ids, undefined].map(groupOf),
      groupsBefore: {
        totals: new Map(ids.map((id) => [id, { ...total, cost: 11 }])),
        latencies: ids.map((id) => latencyOf(id)),
      },
      charted: [...charted, undefined].map(groupOf),
      now: numbers,
      before: numbers,
      latencyOfParts: period.parts.map(({ group }) => latencyOf(group)),
      latencyOfGroups: ids.map((id) => latencyOf(id)),
      latencyOfCharted: charted.flatMap((id) => period.parts.map(({ group }) => latencyOf(id, group))),
      errors: period.parts.flatMap(({ group }) =>
        Array.from({ length: 8 }, (_, at) => ({ code: `an_error_code_${at}`, group, requests: 9 })),
      ),
      onlyOwn: false,
      since: undefined,
      filterTitles: {},
      exportHref: '/export',
      ...changes,
    }),
  );
}

describe('a page with as much as it can have is bounded', () => {
  test.each([
    ['24 hours', { period: '24h' }, 160],
    ['30 days', { period: '30d' }, 160],
    ['90 days', { period: '90d' }, 160],
    ['the longest', { from: '2026-08-22T00:00Z', to: '2026-11-22T00:00Z', latency: 'groups', table: 'Cost' }, 260],
  ])('%s', (_, query, kibibytes) => {
    const page = fullPage(query);
    expect(Buffer.byteLength(page)).toBeLessThan(kibibytes * 1024);
    expect(gzipSync(page).byteLength).toBeLessThan(30 * 1024);
  });
});

test('a page of one end user has a filter of it, and says since when its requests count if there are more', () => {
  const filter = { end_user: '<ann>' };
  const of = (since: string | undefined) => fullPage({ period: '7d' }, { filter, filterTitles: filter, since });
  const [whole, part] = [of(undefined), of('2026-11-20T10:05:00.000Z')];
  for (const page of [whole, part]) {
    expect(page).toMatch(/end user[^]*?&lt;ann&gt;/);
    expect(page).toContain('/analytics?period=7d&amp;by=key&amp;end_user=%3Cann%3E&amp;sort=p95.change');
  }
  expect(whole).not.toContain('newest requests');
  expect(part).toMatch(
    /Only the newest requests of this end user count: those since\s*<time datetime="2026-11-20T10:05/,
  );
});

test('only the table that is asked for is part of the page', () => {
  const tablesIn = (page: string) => [...page.matchAll(/<caption[^>]*>\s*([^<]+?)\s*</g)].map(([, title]) => title);
  expect(tablesIn(fullPage({ period: '7d' }))).toEqual(['Usage by model']);
  const page = fullPage({ period: '7d', table: 'Errors by code' });
  expect(tablesIn(page)).toEqual(['Errors by code', 'Usage by model']);
  expect(page).toContain(
    'href="/dashboard/an-account-with-a-name/analytics?period=7d&amp;by=model&amp;sort=p95.change&amp;table=Cost#cost"',
  );
});

test('the latency has a line for each group, if the page has them', () => {
  expect(fullPage({ period: '7d' }).match(/<li>/g)).toHaveLength(3 * 7 + 7 + 3);
  expect(fullPage({ period: '7d', latency: 'groups' }).match(/<li>/g)).toHaveLength(3 * 7 + 7 + 6);
});

test('a period that begins within a day says which sums it has', () => {
  expect(fullPage({ from: '2026-11-01T10:00', to: '2026-11-05T10:00', zone: 'Europe/Berlin' })).toContain(
    'Sums are of whole days by UTC, here from 2026-11-01 to 2026-11-05.',
  );
  expect(fullPage({ period: 'last-month' })).toContain('Hours and days are those of UTC.');
});
