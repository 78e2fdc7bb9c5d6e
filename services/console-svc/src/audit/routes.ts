import type { Html } from '@tallyport/pages';
import { auditInput, auditKinds, type AuditList } from './filter-form.ts';
import { auditPage } from './view.ts';
import { isInputOf } from '../screen/is-input-of.ts';
import { hasPeriod, periodIn } from '../screen/period.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const auditRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/audit', section: 'audit', answer: showAudit },
];

async function showAudit({ ask, account, base, query }: DashboardRequest): Promise<DashboardResponse> {
  const list: AuditList = {
    kind: auditKinds.find(({ kind: name }) => name === query['kind'])?.kind,
    search: query['q']?.trim().slice(0, 100) || undefined,
    period: hasPeriod(query) ? periodIn(query, Date.now()) : undefined,
    cursor: query['before'] || undefined,
  };
  const input = auditInput(list);
  const content = async (): Promise<Html> => {
    const { entries, names, nextCursor } = await ask('readAudit', input);
    const known = new Map([...Object.entries(names ?? {}), [account.id, account.name] as const]);
    return auditPage({ base, account: account.id, entries, list, nextCursor, names: known });
  };
  const title = 'Audit Log';
  return isInputOf('readAudit', input) ? { title, content } : { title, body: await content() };
}
