import { namesOfKeys } from '../screen/key-names.ts';
import { actorId, auditKinds, auditPage } from './view.ts';
import { readEmails } from '../screen/read-emails.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const auditRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/audit', section: 'audit', answer: showAudit },
];

async function showAudit({ ask, account, base, query }: DashboardRequest): Promise<DashboardResponse> {
  const kind = auditKinds.find(({ kind: name }) => name === query['kind'])?.kind;
  const search = query['q']?.trim().slice(0, 100) || undefined;
  const cursor = query['before'] || undefined;
  const [{ entries, nextCursor }, emails] = await Promise.all([
    ask('readAudit', { kind, search, cursor }),
    readEmails(ask),
  ]);
  const ids = entries.flatMap(({ actor, subject }) => [actorId(actor), subject]);
  const names = new Map([...emails, ...(await namesOfKeys(ask, ids)), [account.id, account.name]]);
  return { title: 'Audit Log', body: auditPage({ base, entries, list: { kind, search, cursor, nextCursor }, names }) };
}
