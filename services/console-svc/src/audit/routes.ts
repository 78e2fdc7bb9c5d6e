import { auditKinds, type AuditList } from './filter-form.ts';
import { auditPage } from './view.ts';
import { instantIn } from '../screen/instant-in.ts';
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
  const { entries, names, nextCursor } = await ask('readAudit', list);
  const hasWrongTime = (query['from'] && from === undefined) || (query['to'] && to === undefined);
  const body = auditPage({
    base,
    account: account.id,
    entries,
    list,
    nextCursor,
    problem: hasWrongTime ? 'Enter a date and a time, such as 2026-11-23 14:00.' : undefined,
    names: new Map([...Object.entries(names ?? {}), [account.id, account.name]]),
  });
  return { title: 'Audit Log', body };
}

function timeIn(text: string | undefined, zone: string | undefined): string | undefined {
  const time = text ? instantIn(text, zone) : undefined;
  return time === undefined ? undefined : new Date(time).toISOString();
}
