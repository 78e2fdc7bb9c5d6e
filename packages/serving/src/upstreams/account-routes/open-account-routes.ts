import { createClient, type Link } from '@tallyport/bus';
import { authService, type Routes } from '@tallyport/contracts';
import { type AccountRoutes, createAccountRoutes } from './account-routes.ts';

/** Requests wait for it, so a slow auth-svc counts as unavailable. */
const loadMs = 2_000;

/** Loads accounts' routes from auth-svc over the bus. */
export function openAccountRoutes<Ready>(link: Link, prepare: (routes: Routes) => Ready): AccountRoutes<Ready> {
  const auth = createClient(link, authService);
  return createAccountRoutes({
    load: async (wanted) => (await auth.routes(wanted, { timeoutMs: loadMs })).routes,
    prepare,
  });
}
