import { type Database, type RawBuilder, sql } from '@switchyard/database';
import type { AuditQuery, AuditRecord } from '@switchyard/management';
import { emailColumn } from '../users/users.ts';

/** Reads the actions in an account that the query finds, newest first. */
export async function readAudit(
  { kysely }: Database,
  accountId: string,
  { limit, cursor, kind, search }: AuditQuery,
): Promise<{ entries: AuditRecord[]; nextCursor?: string }> {
  const rows = await kysely
    .selectFrom('audit_log')
    // The drivers return a bigint in different types.
    .select([
      sql<string>`id::text`.as('id'),
      'at',
      'actor',
      'action',
      'subject',
      sql<string | null>`detail ->> 'address'`.as('address'),
      sql<unknown>`nullif(detail - 'address', '{}'::jsonb)`.as('detail'),
    ])
    .where('account_id', '=', accountId)
    .$if(cursor !== undefined, (query) => query.where('audit_log.id', '<', cursor ?? ''))
    .$if(kind !== undefined, (query) => query.where('action', 'like', `${kind}.%`))
    .$if(search !== undefined, (query) => query.where(matches(accountId, search ?? '')))
    .orderBy('audit_log.id', 'desc')
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(({ detail, at, address, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    ...(address !== null && { address }),
    ...(detail !== null && { detail }),
  }));
  const last = entries.at(-1);
  return { entries, ...(rows.length > limit && last && { nextCursor: last.id }) };
}

/** An id, the beginning of an address, or a part of the name of a member or key, as who acted or as what was changed. */
function matches(accountId: string, search: string): RawBuilder<boolean> {
  const text = search.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql<boolean>`(subject = ${search} or actor = ${search} or detail ->> 'address' like ${`${text}%`}
    or exists (select from (
      select users.id, 'user:' || users.id as actor from users
        join memberships on memberships.user_id = users.id and memberships.account_id = ${accountId}
        where ${emailColumn} ilike ${`%${text}%`}
      union all
      select id, 'key:' || id from api_keys where account_id = ${accountId} and name ilike ${`%${text}%`}
    ) as named where named.id = audit_log.subject or named.actor = audit_log.actor))`;
}
