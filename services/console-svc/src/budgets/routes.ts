import { hasRole } from '@tallyport/management';
import type { Html } from '@tallyport/pages';
import { readOwnerNames } from '../alerts/owner-names.ts';
import { alertList } from '../alerts/view.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { budgetsPage } from './view.ts';

export const budgetRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/budgets', section: 'budgets', answer: showBudgets },
];

const pageSize = 20;

async function showBudgets(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, base, caller, query } = request;
  const search = query['q']?.trim().slice(0, 100) || undefined;
  const cursor = query['after'] || undefined;
  const isAdmin = hasRole(caller, 'admin');
  const [{ budgets, nextCursor }, alerts] = await Promise.all([
    ask('listBudgets', { search, cursor, limit: pageSize }),
    isAdmin ? alertsPart(request) : undefined,
  ]);
  const body = budgetsPage({ base, budgets, search, cursor, nextCursor, onlyOwn: !isAdmin, alerts });
  return { title: 'Budgets and Alerts', body };
}

async function alertsPart(request: DashboardRequest): Promise<Html> {
  const { alerts } = await request.ask('listAlerts');
  const names = await readOwnerNames(request, alerts);
  return alertList({ base: request.base, csrfToken: request.signedIn.csrfToken, alerts, names });
}
