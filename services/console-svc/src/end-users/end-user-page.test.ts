import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import type { DashboardRequest } from '../screen/route.ts';
import { endUserAddress, endUserPage } from './end-user-page.ts';
import { endUsersPage } from './view.ts';
import { periodIn } from '../screen/period.ts';

const names = ['..', 'a/b?c&d', '"><script>'];

const sums = { requests: 1, tokens: 1, cost: '1', ownKeyCost: '0' };
const noEndUsers = { endUsers: [], others: { ...sums, requests: 0 } };

const pageOf = async (name: string, newest: object) => {
  const asked: unknown[] = [];
  const ask = async (operation: string, input: object) => {
    asked.push([operation, input]);
    return { days: [], newest };
  };
  const request = { ask, base: '/d', query: { name } } as unknown as DashboardRequest;
  return { asked, page: render((await endUserPage(request)).body) };
};

test.each(names)('the list leads to the page of the end user %j, which leads to its requests', async (name) => {
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
  const { asked, page } = await pageOf(name, { requests: 2, failed: 1, p95Ms: 700 });
  expect(asked).toEqual([['readEndUser', expect.objectContaining({ end_user: name })]]);
  const links = [...page.matchAll(/href="(\/d\/requests[^"]+)"/g)].map(
    ([, link = '']) => new URL(link.replaceAll('&amp;', '&'), 'http://host').searchParams,
  );
  expect(links.map((query) => query.get('sort'))).toEqual(['cost', null, null, 'duration', null, null]);
  expect(links.map((query) => query.get('end_user'))).toEqual(links.map(() => name));
});

test('the page says which requests its p95 is of', async () => {
  const all = await pageOf('ann', { requests: 2, failed: 1, p95Ms: 700 });
  expect(all.page).toContain('are of all requests of this month.');
  const since = '2026-11-02T00:00:06.000Z';
  const some = await pageOf('ann', { requests: 10_000, failed: 1, p95Ms: 700, since });
  expect(some.page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')).toContain('are of the newest requests, since');
  expect(some.page).toContain(since);
});

test.each(['', 'x'.repeat(201)])('there is no page of %j', async (name) => {
  await expect(pageOf(name, {})).rejects.toMatchObject({ code: 'not_found' });
});
