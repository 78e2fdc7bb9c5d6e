import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { periodIn } from '../screen/period.ts';
import { figures } from './figures.ts';
import { type GroupNumbers, groupTable } from './group-table.ts';
import type { UsageGroup } from './groups.ts';
import { noTotals, type Totals } from './totals.ts';

const period = periodIn({ period: '7d' }, Date.parse('2026-11-23T12:00:00Z'));
const choice = { base: '/dashboard/acme', period, filter: { key: 'k' }, by: 'model' } as const;
const place = { ...choice, sort: undefined, columns: undefined, hasGroupTimes: false, table: undefined };
const none: GroupNumbers = { totals: new Map(), latencies: [] };

const groupOf = (id: string | undefined, totals: Partial<Totals>): UsageGroup => ({
  id,
  title: id ?? 'All others',
  total: { ...noTotals, ...totals },
  parts: new Map(),
});

const latencyOf = (group: string, p95: number) => ({ group, durationMs: { count: 1, p50: 20, p95 } });

const tableWith = (
  totals: Partial<Totals>,
  { ids = ['a', undefined], columns }: { ids?: readonly (string | undefined)[]; columns?: string } = {},
): string => {
  const groups = ids.map((id) => groupOf(id, totals));
  return render(groupTable({ ...place, columns, groups, latencies: [latencyOf('a', 50)], before: none }));
};

const headsOf = (page: string): string[] =>
  [...page.matchAll(/<th\s[^>]*>\s*(?:<a [^>]*>)?([^<]+)</g)].map(([, title = '']) => title.trim());

/** All columns that there are. */
const columnsWith = (totals: Partial<Totals>): string[] =>
  headsOf(tableWith(totals, { columns: figures.map(({ key }) => key).join('.') }));

test('counts that only some accounts use, and savings, have a column only if they are not 0', () => {
  const before = ['Model', 'Cost', 'Requests', 'Failed', 'p50', 'p95'];
  const tokens = ['Tokens in', 'Tokens out', 'Cost per request', 'Tokens out per request'];
  expect(columnsWith({})).toEqual([...before, ...tokens]);
  expect(columnsWith({ characters: 1 })).toEqual([...before, ...tokens, 'Characters']);
  expect(columnsWith({ images: 2, rescued: 1 })).toEqual([...before, 'Rescued', ...tokens, 'Images']);
  expect(columnsWith({ tokensRead: 9, savings: 0.1, surcharge: 0.1 })).toEqual([
    ...before,
    ...tokens,
    'From prompt caches',
    'Saved by prompt caches',
  ]);
  expect(columnsWith({ savings: 0.1, surcharge: 0.3 }).slice(-2)).toEqual([
    'Saved by prompt caches',
    'Lost by unread writes',
  ]);
  expect(columnsWith({ cacheable: 5 })).toEqual([...before, ...tokens, 'Could be cached (estimate)']);
});

test('cost and length per request compare groups of different sizes', () => {
  const cells = (totals: Partial<Totals>) =>
    [
      ...tableWith(totals, { ids: ['a'], columns: 'cost-each.tokens-each' }).matchAll(
        /data-title="[^"]*per request">\s*([^<\s]+)/g,
      ),
    ].map(([, text]) => text);
  expect(cells({ cost: 0.5, requests: 4, tokensOut: 100 })).toEqual(['$0.13', '25']);
  expect(cells({})).toEqual(['–', '–']);
});

const linksTo = (screen: string, text: string): (string | undefined)[] =>
  [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href).filter((href) => href?.includes(`/${screen}?`));

test('a group leads to its requests, and its failures to the failed ones', () => {
  expect(linksTo('requests', tableWith({ failed: 3, requests: 9 }))).toEqual([
    '/dashboard/acme/requests?from=2026-11-17T00:00Z&amp;key=k&amp;model=a',
    '/dashboard/acme/requests?from=2026-11-17T00:00Z&amp;key=k&amp;model=a&amp;outcome=failed',
  ]);
  expect(tableWith({ failed: 3, requests: 9 })).toContain('>3 (33.3 %)<');
});

test('a period that has ended ends in the links as well', () => {
  const last = periodIn({ period: 'last-month' }, Date.parse('2026-11-23T12:00:00Z'));
  const page = render(groupTable({ ...place, period: last, groups: [groupOf('a', {})], latencies: [], before: none }));
  expect(linksTo('requests', page)).toEqual([
    '/dashboard/acme/requests?from=2026-10-01T00:00Z&amp;to=2026-11-01T00:00Z&amp;key=k&amp;model=a',
  ]);
});

const compared = {
  groups: [
    groupOf('fast', { cost: 3 }),
    groupOf('slow', { cost: 2 }),
    groupOf('new', { cost: 1 }),
    groupOf(undefined, { cost: 9 }),
  ],
  latencies: [latencyOf('fast', 50), latencyOf('slow', 200), latencyOf('new', 70)],
  before: {
    totals: new Map([
      ['fast', { ...noTotals, cost: 6 }],
      ['slow', { ...noTotals, cost: 2 }],
    ]),
    latencies: [latencyOf('fast', 100), latencyOf('slow', 100)],
  },
};

const rowsBy = (sort: string | undefined): string[] =>
  [...render(groupTable({ ...place, ...compared, sort })).matchAll(/data-title="Model">\s*(?:<a [^>]*>)?([^<]+)/g)].map(
    ([, name = '']) => name.trim(),
  );

test.each([
  [undefined, 'fast slow new'],
  ['p95', 'slow new fast'],
  ['p95.change', 'slow fast new'],
  ['cost.change', 'new slow fast'],
  ['toString', 'fast slow new'],
  ['<b>.change', 'fast slow new'],
])('in the order %s the groups are %s, and all others last', (sort, groups) =>
  expect(rowsBy(sort).join(' ')).toBe(`${groups} All others`),
);

test('each group is compared with itself', () => {
  const page = render(groupTable({ ...place, ...compared, sort: 'p95' }));
  expect([...page.matchAll(/class="change ([^"]+)"[^>]*>([^<]+)</g)].map(([, ...each]) => each)).toEqual([
    ['up worse', '+100 %'],
    ['down ', '−50 %'],
    ['down better', '−50 %'],
  ]);
  expect(page.match(/aria-sort="descending"[^]*?p95/g)).toHaveLength(1);
});

test('all other groups have no latency of their own', () => {
  expect(tableWith({}, { ids: ['a'], columns: 'p50.p95' }).match(/20 ms|50 ms/g)).toEqual(['20 ms', '50 ms']);
  expect(tableWith({}, { ids: [undefined] })).not.toContain(' ms');
});

test('columns of refused and rescued requests are explained', () => {
  expect(tableWith({ refused: 1 }, { ids: ['a'], columns: 'refused' })).toContain(
    'Refused: The gateway refused it before a provider was called',
  );
  expect(tableWith({ rescued: 1 }, { ids: ['a'] })).toContain('Rescued: A provider failed, and another one sent');
  expect(tableWith({}, { ids: ['a'] })).not.toMatch(/Refused:|Rescued:/);
});

test('the address chooses columns, and the link of a column shows or hides it', () => {
  const groups = [groupOf('a', { images: 1 })];
  const pageOf = (columns: string | undefined) =>
    render(groupTable({ ...place, columns, groups, latencies: [latencyOf('a', 50)], before: none }));
  expect(headsOf(pageOf('p50.images.constructor'))).toEqual(['Model', 'p50', 'Images']);
  expect(linksTo('analytics', pageOf('p50.images')).filter((href) => href?.includes('columns=p50#'))).toHaveLength(1);
  expect(linksTo('analytics', pageOf(undefined)).filter((href) => href?.includes('columns='))).toEqual(
    expect.arrayContaining([expect.stringContaining('.tokens-out.images#groups')]),
  );
});
