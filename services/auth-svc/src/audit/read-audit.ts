import { type Database, sql } from '@switchyard/database';
import type { AuditRecord } from '@switchyard/management';

export interface AuditQuery {
  accountId: string;
  limit: number;
  /** Only entries older than this one. */
  cursor?: string | undefined;
}

export async function readAudit(
  { kysely }: Database,
  { accountId, limit, cursor }: AuditQuery,
): Promise<{ entries: AuditRecord[]; nextCursor?: string }> {
  const rows = await kysely
    .selectFrom('audit_log')
    // The drivers return a bigint in different types.
    .select([sql<string>`id::text`.as('id'), 'at', 'actor', 'action', 'subject', 'detail'])
    .where('account_id', '=', accountId)
    .$if(cursor !== undefined, (query) => query.where('audit_log.id', '<', cursor ?? ''))
    .orderBy('audit_log.id', 'desc')
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(({ detail, at, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    ...(detail !== null && { detail }),
  }));
  const last = entries.at(-1);
  return { entries, ...(rows.length > limit && last && { nextCursor: last.id }) };
}
