import { hasRole } from '@tallyport/management';
import type { Html } from '@tallyport/pages';
import { readOwnerNames } from '../alerts/owner-names.ts';
import { alertList } from '../alerts/view.ts';
import type { DashboardRequest, DashboardRoute } from '../screen/route.ts';
import { budgetsPage } from './view.ts';

export const budgetRoutes: readonly DashboardRoute[] = [
  {
    method: 'get',
    path: '/budgets',
    section: 'budgets',
    answer: async (request) => ({ title: 'Budgets and Alerts', content: () => budgetList(request) }),
  },
];

const pageSize = 20;

async function budgetList(request: DashboardRequest): Promise<Html> {
  const { ask, base, caller, query } = request;
  const search = query['q']?.trim().slice(0, 100) || undefined;
  const cursor = query['after'] || undefined;
  const isAdmin = hasRole(caller, 'admin');
  const [{ budgets, nextCursor }, alerts] = await Promise.all([
    ask('listBudgets', { search, cursor, limit: pageSize }),
    isAdmin ? alertsPart(request) : undefined,
  ]);
  return budgetsPage({ base, budgets, search, cursor, nextCursor, onlyOwn: !isAdmin, alerts });
}

async function alertsPart(request: DashboardRequest): Promise<Html> {
  const { alerts } = await request.ask('listAlerts');
  const names = await readOwnerNames(request, alerts);
  return alertList({ base: request.base, csrfToken: request.signedIn.csrfToken, alerts, names });
}
