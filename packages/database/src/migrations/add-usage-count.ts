import { type Kysely, sql } from 'kysely';
import { summarize, summarizeOffers } from './summaries.ts';

/** Records, and every table that adds them up. */
const tables = [
  'usage_records',
  'usage_hours',
  'usage_days',
  'project_hours',
  'project_days',
  'usage_offer_days',
  'usage_summary_hours',
  'usage_summary_days',
  'usage_summary_weeks',
];

/** Adds the column of a count, or of a class of tokens, to records and sums, for a migration. */
export async function addUsageCount(database: Kysely<unknown>, column: string): Promise<void> {
  for (const table of tables)
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} bigint not null default 0`.execute(
      database,
    );
  await summarize(database);
  await summarizeOffers(database);
}
