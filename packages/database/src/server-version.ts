import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** The oldest version that is still maintained and that the tests run against. */
const oldestMajor = 15;

/** Throws, before any change, if the server is older than the queries require. */
export async function checkServerVersion(kysely: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version
  `.execute(kysely);
  refuseOldServer(rows[0]?.version ?? 0);
}

/** `version` is the number that Postgres reports: 150004 means 15.4. */
export function refuseOldServer(version: number): void {
  if (version >= oldestMajor * 10_000) return;
  const name = `${Math.trunc(version / 10_000)}.${version % 10_000}`;
  throw new Error(`Postgres ${name} is too old: Tallyport needs ${oldestMajor} or newer. Upgrade the server first.`);
}
