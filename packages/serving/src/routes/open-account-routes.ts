import { createClient, type Link } from '@tallyport/bus';
import { authService } from '@tallyport/contracts';
import { type AccountRoutes, createAccountRoutes } from './account-routes.ts';

/** Requests wait for it, so a slow auth-svc counts as unavailable. */
const loadMs = 2_000;

/** Loads the routes of accounts from auth-svc over the bus. */
export function openAccountRoutes(link: Link): AccountRoutes {
  const auth = createClient(link, authService);
  return createAccountRoutes({
    load: async (accountId, version) => (await auth.routes({ accountId, version }, { timeoutMs: loadMs })).routes,
  });
}
