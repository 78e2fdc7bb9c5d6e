import { hasRole } from '@switchyard/management';
import { alertList } from '../alerts/view.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { budgetsPage } from './view.ts';

export const budgetRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/budgets', section: 'budgets', answer: showBudgets },
];

const pageSize = 20;

async function showBudgets({ ask, base, caller, query, signedIn }: DashboardRequest): Promise<DashboardResponse> {
  const search = query['q']?.trim().slice(0, 100) || undefined;
  const cursor = query['after'] || undefined;
  const { budgets, nextCursor } = await ask('listBudgets', { search, cursor, limit: pageSize });
  const isAdmin = hasRole(caller, 'admin');
  const alerts = isAdmin ? (await ask('listAlerts')).alerts : undefined;
  const body = budgetsPage({
    base,
    budgets,
    search,
    cursor,
    nextCursor,
    onlyOwn: !isAdmin,
    alerts: alerts && alertList({ base, csrfToken: signedIn.csrfToken, alerts }),
  });
  return { title: 'Budgets and Alerts', body };
}
