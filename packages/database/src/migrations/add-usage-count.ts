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

/** Adds the columns of counts, or of classes of tokens, to records and sums, for a migration. */
export const addUsageCount = (database: Kysely<unknown>, ...columns: readonly string[]): Promise<void> =>
  addUsageColumns(database, Object.fromEntries(columns.map((name) => [name, 'bigint' as const])));

/** The same for amounts of money and counts together. */
export async function addUsageColumns(
  database: Kysely<unknown>,
  columns: Readonly<Record<string, 'bigint' | 'numeric(27, 15)'>>,
): Promise<void> {
  const added = Object.entries(columns).map(
    ([name, type]) => sql`add column ${sql.ref(name)} ${sql.raw(type)} not null default 0`,
  );
  for (const table of tables) await sql`alter table ${sql.table(table)} ${sql.join(added)}`.execute(database);
  await summarize(database);
  await summarizeOffers(database);
}
