import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { groupTable } from './group-table.ts';
import { periodOf } from './period.ts';
import { noTotals, type Totals } from './totals.ts';

const period = periodOf('7d', Date.parse('2026-11-23T12:00:00Z'));

const tableWith = (totals: Partial<Totals>, ids: readonly (string | undefined)[] = ['a', undefined]): string => {
  const groups = ids.map((id) => ({
    id,
    title: id ?? 'All others',
    total: { ...noTotals, ...totals },
    parts: new Map(),
  }));
  const latencies = [{ group: 'a', durationMs: { count: 1, p50: 20, p95: 50 } }];
  return render(groupTable({ base: '/dashboard/acme', period, filter: { key: 'k' }, by: 'model', groups, latencies }));
};

const columnsWith = (totals: Partial<Totals>): string[] =>
  [...tableWith(totals).matchAll(/<th [^>]*>([^<]+)</g)].map(([, title = '']) => title.trim());

test('counts that only some accounts use, and savings, have a column only if they are not 0', () => {
  const before = ['Model', 'Cost', 'Requests', 'Failed'];
  const tokens = ['Tokens in', 'Tokens out'];
  const times = ['p50', 'p95'];
  expect(columnsWith({})).toEqual([...before, ...tokens, ...times]);
  expect(columnsWith({ characters: 1 })).toEqual([...before, ...tokens, 'Characters', ...times]);
  expect(columnsWith({ images: 2, rescued: 1 })).toEqual([...before, 'Rescued', ...tokens, 'Images', ...times]);
  expect(columnsWith({ savings: 0.1 })).toEqual([...before, ...tokens, ...times, 'Saved by prompt caches']);
});

test('a group leads to its requests, and its failures to those with an error', () => {
  const links = [...tableWith({ failed: 3, requests: 9 }).matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  const from = 'from=2026-11-17T00%3A00%3A00.000Z';
  expect(links).toEqual([
    `/dashboard/acme/requests?${from}&amp;key=k&amp;model=a`,
    `/dashboard/acme/requests?${from}&amp;key=k&amp;model=a&amp;error=any`,
  ]);
});

test('all other groups have no latency of their own', () => {
  expect(tableWith({}, ['a']).match(/20 ms|50 ms/g)).toEqual(['20 ms', '50 ms']);
  expect(tableWith({}, [undefined])).not.toContain(' ms');
});
