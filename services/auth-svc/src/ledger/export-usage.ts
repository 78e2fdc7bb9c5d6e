import { type Database, sql } from '@switchyard/database';
import { type UsageQuestion, within } from './read-usage.ts';
import { tokenColumn } from './write-usage.ts';

const columns = [
  ...['at', 'id', 'request_id', 'key_id', 'operation', 'requested_model', 'model', 'provider'],
  ...[
    ...Object.values(tokenColumn),
    'images',
    'cost',
    'price_version',
    'source',
    'flags',
    'own_key',
    'cached',
    'stream',
  ],
  ...['duration_ms', 'first_byte_ms', 'end_reason'],
];
const rowsAtOnce = 1_000;

/** Every single record as CSV, the oldest first, in pieces: never more than one of them is in memory. */
export async function* exportUsage({ kysely }: Database, question: UsageQuestion): AsyncGenerator<string> {
  yield line(columns);
  let after = { at: question.from.toISOString(), id: '' };
  for (;;) {
    const { rows } = await sql<Record<string, string | null> & { at: string; id: string }>`
      select ${sql.raw(columns.map(asText).join(', '))} from usage_records as record
      where ${within(question)} and (record.at, record.id) > (${after.at}::timestamptz, ${after.id})
      order by record.at, record.id limit ${rowsAtOnce}`.execute(kysely);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => line(columns.map((name) => row[name] ?? ''))).join('');
    after = last;
  }
}

/** Text of the database's own making, so that no digit is lost on the way. */
function asText(name: string): string {
  if (name === 'at') return `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;
  if (name === 'flags') return `array_to_string(array(select jsonb_array_elements_text(flags)), ' ') as flags`;
  return name === 'cost' ? 'trim_scale(cost)::text as cost' : `${name}::text`;
}

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** A cell that begins like a formula would be one in a spreadsheet: clients choose some of these texts. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) && !/^-?\d/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
