import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { AuditFilter, AuditQuery, AuditRecord } from '@tallyport/management';
import { emailColumn } from '../users/users.ts';
import { namesInAudit } from './names-in-audit.ts';

interface AuditPage {
  entries: AuditRecord[];
  /** By id. */
  names: Record<string, string>;
  nextCursor?: string;
}

/** Reads the actions in an account that the query finds, newest first. */
export async function readAudit(
  { kysely }: Database,
  accountId: string,
  { limit, cursor, ...filter }: AuditQuery,
): Promise<AuditPage> {
  const { kind, search } = filter;
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
    .where(during(accountId, filter))
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
  const names = await namesInAudit(kysely, accountId, entries);
  return { entries, names, ...(rows.length > limit && last && { nextCursor: last.id }) };
}

/** More than are written at once: ids and times have the same order, except for a few entries. */
const neighbours = 100;

/** Entries between two times. They are read in the order of their ids, so that the ids need bounds, too. */
function during(accountId: string, { from, to }: AuditFilter): RawBuilder<boolean> {
  const parts = [sql<boolean>`true`];
  const near = (time: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql`(select id from audit_log where account_id = ${accountId} and at ${time} order by at ${order} limit ${neighbours})`;
  if (from !== undefined) {
    const time = sql`>= ${from}::timestamptz`;
    parts.push(sql`at ${time} and audit_log.id >= (select min(id) from ${near(time, sql`asc`)} as first)`);
  }
  if (to !== undefined) {
    const time = sql`< ${to}::timestamptz`;
    parts.push(sql`at ${time} and audit_log.id <= (select max(id) from ${near(time, sql`desc`)} as last)`);
  }
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
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
