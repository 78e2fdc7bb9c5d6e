import { hasRole } from '@tallyport/management';
import { type FieldSpec, type Html, inputOf } from '@tallyport/pages';
import { type ConfirmationPrompt, confirmationRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { periodIn } from '../screen/period.ts';
import { apiPeriod, endOfPart, lengthOfPart, type PeriodPart, partsFrom, startOfPart } from '../screen/period-parts.ts';
import { endUserPage } from './end-user-page.ts';
import { endUsersPage } from './view.ts';

const section = 'analytics';

export const endUserRoutes: readonly DashboardRoute[] = [
  {
    method: 'get',
    path: '/end-users',
    section,
    access: 'admin',
    answer: async (request) => ({ title: 'End users', scripts: ['charts.js'], content: () => listedEndUsers(request) }),
  },
  { method: 'get', path: '/end-users/named', section, access: 'admin', answer: endUserPage },
  ...confirmationRoutes({ path: '/end-users/erase', section, access: 'owner', ask: askToErase, act: erase }),
];

async function listedEndUsers({ ask, base, caller, query }: DashboardRequest): Promise<Html> {
  const period = periodIn(query, Date.now(), 'month');
  const [days, daysBefore] = [daysOf(period.parts), daysOf(period.before)];
  const day = new Date().toISOString().slice(0, 10);
  const [list, before, today] = await Promise.all([
    ask('listEndUsers', { ...apiPeriod({ unit: 'day', parts: days }), interval: 'day', latency: 'true' }),
    ask('listEndUsers', { ...apiPeriod({ unit: 'day', parts: daysBefore }), latency: 'true' }),
    ask('listEndUsers', { from: day, to: day }),
  ]);
  const shown = { period, days, table: query['table'], mayErase: hasRole(caller, 'owner') };
  return endUsersPage({ base, ...shown, ...list, before, today });
}

/** Sums of end users are of whole days by UTC. */
function daysOf(parts: readonly PeriodPart[]): PeriodPart[] {
  const [first, last] = [parts[0], parts.at(-1)];
  const start = startOfPart(Date.parse(first?.from ?? ''), 'day');
  const end = endOfPart(Date.parse(last?.from ?? ''), 'day');
  return partsFrom(start, 'day', Math.round((end - start) / lengthOfPart('day')));
}

const erasedFields: readonly FieldSpec[] = [{ name: 'endUser', label: 'End user', kind: 'text', required: true }];

async function askToErase(): Promise<ConfirmationPrompt> {
  return {
    title: 'Erase an end user?',
    text: 'The name is replaced in all records and sums. The requests keep their cost, and the budgets of this end user begin anew.',
    button: 'Erase the name',
    back: '/end-users',
    groups: [{ fields: erasedFields }],
  };
}

async function erase({ ask, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('eraseEndUser', inputOf(erasedFields, fields));
  return { to: '/end-users', notice: 'end-user-erased' };
}
