import { expect, test } from 'vitest';
import type { DashboardRequest } from '../screen/route.ts';
import { providerRoutes } from './routes.ts';

/** The page of a provider without offers, in the last 24 hours. It was called so many days ago. */
async function pageOf(calledDaysAgo: number) {
  const ask = async (_name: string, { days }: { days: number }) => ({
    days: days > calledDaysAgo ? [{ day: '2026-11-01', provider: 'gone' }] : [],
    incidents: [],
  });
  const request = {
    ask,
    api: { listStandings: async () => [] },
    params: { id: 'gone' },
    query: { period: '24h' },
  } as unknown as DashboardRequest;
  return providerRoutes.find(({ path }) => path === '/providers/:id')?.answer(request);
}

test('a provider without offers has a page while its history is kept, in every period', async () => {
  expect(await pageOf(89)).toMatchObject({ title: 'gone' });
  await expect(pageOf(90)).rejects.toMatchObject({ code: 'not_found' });
});
