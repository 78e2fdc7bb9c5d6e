import type { Principal, Routes } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { createAccountRoutes } from './account-routes.ts';

const routes: Routes = {
  fast: { targets: [{ model: 'm', weight: 1 }], then: [], when: [], onContentFilter: 'stop' },
};
const principal = (routesVersion?: string, accountId = 'a'): Principal => ({
  accountId,
  keyId: 'k',
  ...(routesVersion !== undefined && { routesVersion }),
});

function opened(answer: () => Promise<Routes> = () => Promise.resolve(routes)) {
  const asked: string[] = [];
  let prepared = 0;
  const accountRoutes = createAccountRoutes({
    load({ accountId, version }) {
      asked.push(`${accountId} ${version}`);
      return answer();
    },
    prepare: (loaded) => ({ names: Object.keys(loaded), at: (prepared += 1) }),
  });
  return { asked, ...accountRoutes };
}

test('an account without routes is not asked about', () => {
  const { of, asked } = opened();
  expect([of(undefined), of(principal())]).toEqual([undefined, undefined]);
  expect(asked).toEqual([]);
});

test('each version of an account is asked for and prepared once, also by requests at once', async () => {
  const { of, asked } = opened();
  const ready = await Promise.all([of(principal('1')), of(principal('1')), of(principal('1', 'b'))]);
  expect(ready).toEqual([1, 1, 2].map((at) => ({ names: ['fast'], at })));
  expect(await of(principal('1'))).toEqual(ready[0]);
  expect(await of(principal('2'))).toEqual({ names: ['fast'], at: 3 });
  expect(asked).toEqual(['a 1', 'b 1', 'a 2']);
});

test('routes that cannot be loaded are an error that says so, and are asked for again', async () => {
  let isAway = true;
  const { of, asked } = opened(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(routes)));
  await expect(of(principal('1'))).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1_000 });
  isAway = false;
  expect(await of(principal('1'))).toEqual({ names: ['fast'], at: 1 });
  expect(asked).toEqual(['a 1', 'a 1']);
});
