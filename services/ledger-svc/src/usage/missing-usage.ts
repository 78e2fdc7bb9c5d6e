import type { UsageRecord } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';

export type UsageName = Pick<UsageRecord, 'id' | 'at'>;

/** Returns the ids of those records that are not written, in any order. Those that were set aside count as missing. */
export async function missingUsage({ kysely }: Database, records: readonly UsageName[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb) as asked (id text, at timestamptz)
    where not exists (select from usage_records as written where written.at = asked.at and written.id = asked.id)`.execute(
    kysely,
  );
  return rows.map(({ id }) => id);
}
