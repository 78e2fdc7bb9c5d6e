import { auditKinds, auditPage } from './view.ts';
import { readEmails } from '../screen/read-emails.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const auditRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/audit', section: 'audit', answer: showAudit },
];

async function showAudit({ ask, account, base, query }: DashboardRequest): Promise<DashboardResponse> {
  const kind = auditKinds.find(({ kind: name }) => name === query['kind'])?.kind;
  const search = query['q']?.trim().slice(0, 100) || undefined;
  const cursor = query['before'] || undefined;
  const { entries, nextCursor } = await ask('readAudit', { kind, search, cursor });
  const { keys } = await ask('listKeys');
  const names = new Map([
    ...(await readEmails(ask)),
    ...keys.map(({ id, name }): [string, string] => [id, name]),
    [account.id, account.name],
  ]);
  return { title: 'Audit Log', body: auditPage({ base, entries, list: { kind, search, cursor, nextCursor }, names }) };
}
