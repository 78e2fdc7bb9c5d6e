import { render } from '@tallyport/pages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DashboardRequest } from '../screen/route.ts';
import { endUserRoutes } from './routes.ts';

const sums = (cost: string, requests = 1) => ({ cost, requests, failed: 0, tokens: 10, ownKeyCost: '0' });
const noOthers = sums('0', 0);
const today = '2026-11-03';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${today}T12:00:00Z`) }));
afterEach(() => void vi.useRealTimers());

const listed = [
  { endUser: 'ann', ...sums('3'), days: [{ day: today, ...sums('3') }] },
  { endUser: 'bob, <b>', ...sums('2') },
];

/** The page of 24 hours, which are of two days, with what it asked for. */
async function pageOf(
  before: object,
  ofToday: object = { endUsers: [], others: noOthers },
  endUsers: readonly object[] = listed,
) {
  const asked: object[] = [];
  const ask = async (_name: string, input: { interval?: string; from: string; to: string }) => {
    asked.push(input);
    if (input.interval === 'day')
      return {
        ...input,
        endUsers,
        others: noOthers,
      };
    return input.from === today ? ofToday : before;
  };
  const query = { period: '24h' };
  const request = { ask, base: '/d', query, caller: { role: 'owner', operator: false } } as unknown as DashboardRequest;
  const route = endUserRoutes.find(({ path }) => path === '/end-users');
  const answer = route && 'answer' in route ? await route.answer(request) : undefined;
  return { page: answer && 'content' in answer ? render(await answer.content()) : '', asked };
}

const textOf = (part: string): string =>
  part
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const changesIn = (page: string) =>
  [...page.matchAll(/<div class="small quiet">(.*?)<\/div>/gs)].map(([, text = '']) => textOf(text));

test('usage by end user is of whole days, with charts, and compared with the days before', async () => {
  const { asked, page } = await pageOf({ endUsers: [{ endUser: 'ann', ...sums('6', 2) }], others: noOthers });
  expect(asked).toEqual([
    { from: '2026-11-02', to: today, interval: 'day', latency: 'true' },
    { from: '2026-11-01', to: '2026-11-02', latency: 'true' },
    { from: today, to: today },
  ]);
  expect(changesIn(page)).toEqual(['−50 %', '−50 %', 'unchanged', 'new', 'new', 'new']);
  expect([...page.matchAll(/<h2[^>]*>([^<]+)</g)].map(([, title]) => title)).toEqual(['Cost', 'Requests', 'Tokens']);
  expect(page).toContain('end_user=ann');
  expect(page).toContain('href="/d/analytics?period=24h&amp;by=model"');
  expect(page).not.toContain('<b>');
});

test('failures lead to their requests, and failures and p95 are compared', async () => {
  const before = { endUser: 'ann', ...sums('3', 4), failed: 2, p95Ms: 500 };
  const now = { endUser: 'ann', ...sums('3', 4), failed: 1, p95Ms: 1_000 };
  const { page } = await pageOf({ endUsers: [before], others: noOthers }, { endUsers: [], others: noOthers }, [now]);
  const [, row = ''] = page.match(/<tbody[^>]*>(.*?)<\/tbody>/s) ?? [];
  const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => textOf(cell));
  expect(cells).toEqual([
    'ann',
    '$3.00 unchanged',
    '4 unchanged',
    '1 (25 %) −50 %, better',
    '1 s +100 %, worse',
    '10 unchanged',
    '$0',
    'none',
  ]);
  expect(row).toContain('/d/requests?from=2026-11-02T00:00Z&amp;end_user=ann&amp;outcome=failed');
});

test('an end user that may be beyond the list of the days before is not compared', async () => {
  const { page } = await pageOf({ endUsers: [], others: sums('1') });
  expect(changesIn(page)).toEqual([]);
});

test('the cost of today is not known of an end user that may be beyond the list of today', async () => {
  const unknown = /<span class="quiet">–<\/span>/g;
  const listOf = (count: number) => ({
    endUsers: Array.from({ length: count }, (_, at) => ({ endUser: `other ${at}`, ...sums('1') })),
    others: noOthers,
  });
  expect((await pageOf(listOf(1), listOf(99))).page.match(unknown)).toBeNull();
  expect((await pageOf(listOf(1), listOf(100))).page.match(unknown)).toHaveLength(2);
});
