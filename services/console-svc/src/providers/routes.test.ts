import { expect, test } from 'vitest';
import type { DashboardRequest } from '../screen/route.ts';
import { providerRoutes } from './routes.ts';

/** The page of a provider in the last 24 hours. It was called so many days ago, and has no offers. */
async function pageOf(calledDaysAgo: number, listStandings: () => Promise<unknown[]> = async () => []) {
  const ask = async (_name: string, { days }: { days: number }) => ({
    days: days > calledDaysAgo ? [{ day: '2026-11-01', provider: 'gone' }] : [],
    incidents: [],
  });
  const request = {
    ask,
    api: { listStandings },
    params: { id: 'gone' },
    query: { period: '24h' },
  } as unknown as DashboardRequest;
  return providerRoutes.find(({ path }) => path === '/providers/:id')?.answer(request);
}

test('a provider without offers has a page while its history is kept, in every period', async () => {
  expect(await pageOf(89)).toMatchObject({ title: 'gone' });
  await expect(pageOf(90)).rejects.toMatchObject({ code: 'not_found' });
});

test('the frame of the page waits for the offers only if the provider was not called', async () => {
  const never = new Promise<never>(() => undefined);
  expect(await pageOf(0, () => never)).toMatchObject({ title: 'gone' });
  expect(await pageOf(90, async () => [{ provider: 'other' }, { provider: 'gone' }])).toMatchObject({ title: 'gone' });
  await expect(pageOf(90, async () => [{ provider: 'other' }])).rejects.toMatchObject({ code: 'not_found' });
});
