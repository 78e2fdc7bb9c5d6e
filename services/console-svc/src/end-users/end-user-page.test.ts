import { render } from '@tallyport/pages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DashboardRequest } from '../screen/route.ts';
import { endUserAddress, endUserPage } from './end-user-page.ts';
import { endUsersPage } from './view.ts';
import { periodIn } from '../screen/period.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-03T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const names = ['..', 'a/b?c&d', '"><script>'];

const sums = { requests: 1, failed: 0, tokens: 1, cost: '1', ownKeyCost: '0' };
const noEndUsers = { endUsers: [], others: { ...sums, requests: 0 } };

/** The page of an end user in November, with what it asked for. */
const pageOf = async (name: string) => {
  const asked: unknown[] = [];
  const ask = async (operation: string, input: object) => {
    asked.push([operation, input]);
    return {
      days: [
        { day: '2026-10-20', ...sums },
        { day: '2026-11-02', ...sums, requests: 3, failed: 1, p95Ms: 900 },
        { day: '2026-11-03', ...sums, cost: '0.5' },
      ],
      total: { ...sums, p95Ms: 800 },
      ...('before_from' in input && { before: { ...sums, p95Ms: 400 } }),
    };
  };
  const request = { ask, base: '/d', query: { name } } as unknown as DashboardRequest;
  return { asked, page: render((await endUserPage(request)).body) };
};

const textOf = (page: string): string => page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');

test.each(names)(
  'the list leads to the page of the end user %j, which leads to its requests and analytics',
  async (name) => {
    const list = render(
      endUsersPage({
        base: '/d',
        period: periodIn({}, 0),
        from: '',
        to: '',
        endUsers: [{ endUser: name, ...sums }],
        others: { ...sums, requests: 0 },
        before: noEndUsers,
        today: noEndUsers,
        days: [],
        table: undefined,
        mayErase: false,
      }),
    );
    const href = endUserAddress('/d', name);
    expect(new URL(href, 'http://host').searchParams.get('name')).toBe(name);
    expect(list).toContain(`href="${href.replaceAll('&', '&amp;')}"`);
    const { asked, page } = await pageOf(name);
    const month = { from: '2026-11-01', to: '2026-11-03', before_from: '2026-10-01', before_to: '2026-10-03' };
    expect(asked).toEqual([
      ['readEndUser', { from: '2026-10-01', to: '2026-11-03', end_user: name }],
      ['readEndUser', { ...month, end_user: name }],
    ]);
    const links = [...page.matchAll(/href="(\/d\/(?:requests|analytics)[^"]+)"/g)].map(
      ([, link = '']) => new URL(link.replaceAll('&amp;', '&'), 'http://host'),
    );
    const [requests, analytics] = ['/d/requests', '/d/analytics'];
    const places = [analytics, requests, requests, analytics, requests, requests, analytics];
    expect(links.map(({ pathname }) => pathname)).toEqual(places);
    expect(links.map(({ searchParams }) => searchParams.get('end_user'))).toEqual(links.map(() => name));
  },
);

test('the page has the month against the month before, today, p95 and failures, with charts of days', async () => {
  const { page } = await pageOf('ann');
  const tiles = [...page.matchAll(/<div class="panel">(.*?)<\/div>/gs)].map(([, tile = '']) => textOf(tile).trim());
  expect(tiles).toEqual([
    'Cost this month $1.50 new',
    'Cost today $0.50 yesterday $1.00',
    'Requests this month 4 new',
    'Latency p95 800 ms +100 % from 400 ms, worse',
    'Failed 25 %',
  ]);
  expect(page.match(/class="sparkline"/g)).toHaveLength(4);
});

test.each(['', 'x'.repeat(201)])('there is no page of %j', async (name) => {
  await expect(pageOf(name)).rejects.toMatchObject({ code: 'not_found' });
});
