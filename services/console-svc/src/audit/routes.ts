import type { Html } from '@tallyport/pages';
import { auditKinds, type AuditList } from './filter-form.ts';
import { auditPage } from './view.ts';
import { instantIn } from '../screen/instant-in.ts';
import { isInputOf } from '../screen/is-input-of.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const auditRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/audit', section: 'audit', answer: showAudit },
];

async function showAudit({ ask, account, base, query }: DashboardRequest): Promise<DashboardResponse> {
  const [from, to] = [timeIn(query['from'], query['zone']), timeIn(query['to'], query['zone'])];
  const list: AuditList = {
    kind: auditKinds.find(({ kind: name }) => name === query['kind'])?.kind,
    search: query['q']?.trim().slice(0, 100) || undefined,
    from,
    to,
    cursor: query['before'] || undefined,
  };
  const hasWrongTime = (query['from'] && from === undefined) || (query['to'] && to === undefined);
  const problem = hasWrongTime ? 'Enter a date and a time, such as 2026-11-23 14:00.' : undefined;
  const content = async (): Promise<Html> => {
    const { entries, names, nextCursor } = await ask('readAudit', list);
    const known = new Map([...Object.entries(names ?? {}), [account.id, account.name] as const]);
    return auditPage({ base, account: account.id, entries, list, nextCursor, problem, names: known });
  };
  const title = 'Audit Log';
  return isInputOf('readAudit', list) ? { title, content } : { title, body: await content() };
}

function timeIn(text: string | undefined, zone: string | undefined): string | undefined {
  const time = text ? instantIn(text, zone) : undefined;
  return time === undefined ? undefined : new Date(time).toISOString();
}
