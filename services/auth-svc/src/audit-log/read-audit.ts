import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { AuditQuery, AuditRecord } from '@tallyport/management';
import { emailColumn } from '../users/users.ts';

/** Reads the actions in an account that the query finds, newest first. */
export async function readAudit(
  { kysely }: Database,
  accountId: string,
  { limit, cursor, kind, search }: AuditQuery,
): Promise<{ entries: AuditRecord[]; nextCursor?: string }> {
  const sought = search === undefined ? undefined : await readSought(kysely, accountId, search);
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
    .where(sought === undefined ? sql<boolean>`true` : matches(sought))
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

/** What a search is about: ids as who acted or as what was changed, and the beginning of an address. */
interface Sought {
  subjects: readonly string[];
  actors: readonly string[];
  address: string | undefined;
}

/** Members and keys with such a name that are looked for. */
const mostNamed = 1_000;
const beginningOfAddress = /^[\d.]+$|^[\da-f:.]*:[\da-f:.]*$/i;

/** Names are resolved first, because an index finds entries by ids only. */
async function readSought(queries: Queries, accountId: string, search: string): Promise<Sought> {
  const text = search.replaceAll(/[\\%_]/g, String.raw`\$&`);
  const { rows } = await sql<{ id: string; actor: string }>`
    select users.id, 'user:' || users.id as actor from users
      join memberships on memberships.user_id = users.id and memberships.account_id = ${accountId}
      where ${emailColumn} ilike ${`%${text}%`}
    union all
    select id, 'key:' || id from api_keys where account_id = ${accountId} and name ilike ${`%${text}%`}
    limit ${mostNamed}`.execute(queries);
  return {
    subjects: [search, ...rows.map(({ id }) => id)],
    actors: [search, ...rows.map(({ actor }) => actor)],
    address: beginningOfAddress.test(search) ? `${text}%` : undefined,
  };
}

/** An id, the beginning of an address, or a part of the name of a member or key, as who acted or as what was changed. */
function matches({ subjects, actors, address }: Sought): RawBuilder<boolean> {
  const ofAddress = address === undefined ? sql`false` : sql`detail ->> 'address' like ${address}`;
  return sql<boolean>`(subject in (${sql.join(subjects)}) or actor in (${sql.join(actors)}) or ${ofAddress})`;
}
