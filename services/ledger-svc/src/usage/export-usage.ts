import { type Database, sql } from '@tallyport/database';
import { type UsageQuery, usageCondition } from './read-usage.ts';
import { type UsageColumn, usageColumns } from './usage-columns.ts';

/** The time is the first column, because rows are ordered by it. */
const columns = usageColumns
  .filter(({ csv }) => csv !== false)
  .toSorted((one, other) => Number(other.name === 'at') - Number(one.name === 'at'));
const names = columns.map(({ name }) => name);
/** Few, because nothing else of this service runs while a piece is written. */
const rowsAtOnce = 250;

/** Exports all records as CSV, oldest first, in pieces; only one piece is in memory at a time. */
export async function* exportUsage({ kysely }: Database, usageQuery: UsageQuery): AsyncGenerator<string> {
  yield line(names);
  let after = { at: usageQuery.from.toISOString(), id: '' };
  for (;;) {
    const { rows } = await sql<Record<string, string | null> & { at: string; id: string }>`
      select ${sql.raw(columns.map(asText).join(', '))} from usage_records as record
      where ${usageCondition(usageQuery)} and (record.at, record.id) > (${after.at}::timestamptz, ${after.id})
      order by record.at, record.id limit ${rowsAtOnce}`.execute(kysely);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => line(names.map((name) => row[name] ?? ''))).join('');
    after = last;
  }
}

/** The database formats the text, so that no digit is lost. */
function asText({ name, type }: UsageColumn): string {
  switch (type) {
    case 'timestamptz':
      return `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`;
    case 'jsonb':
      return `array_to_string(array(select jsonb_array_elements_text(${name})), ' ') as ${name}`;
    case 'numeric':
      return `trim_scale(${name})::text as ${name}`;
    default:
      return `${name}::text`;
  }
}

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** Clients choose some of these texts, and a spreadsheet would run a cell that starts like a formula. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) && !/^-?\d/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
