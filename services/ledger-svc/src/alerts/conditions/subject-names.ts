import { type Database, sql } from '@tallyport/database';
import { clientOfKeyId } from '@tallyport/management';

/** Reads the names of keys or projects of an account. Workloads and what was deleted have their id. */
export async function subjectNames(
  { kysely }: Database,
  accountId: string,
  { kind, ids }: { kind: 'key' | 'project'; ids: readonly string[] },
): Promise<(id: string) => string> {
  if (ids.length === 0) return String;
  const table = kind === 'key' ? sql`api_keys` : sql`projects`;
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from ${table} where account_id = ${accountId} and id in (${sql.join(ids)})`.execute(kysely);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (clientOfKeyId(id) === undefined ? id : 'of an OAuth application');
}
