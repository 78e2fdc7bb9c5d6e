import { csvLine } from '@tallyport/management-server';
import { type UsageColumn, usageColumns } from './usage-columns.ts';
import { type RawBuilder, sql } from '@tallyport/database';

/** The time is the first column, because rows are ordered by it. */
const columns = usageColumns
  .filter(({ csv }) => csv !== false)
  .toSorted((one, other) => Number(other.name === 'at') - Number(one.name === 'at'));
const names = columns.map(({ name }) => name);

/** Few, because nothing else of this service runs while a piece is written. */
export const rowsOfPiece = 250;

/** A record with the columns of the CSV as texts. */
export type CsvRow = Record<string, string | null> & { at: string; id: string };

/** The columns that `csvLines` writes. */
export const csvColumns: RawBuilder<unknown> = sql.raw(columns.map(asText).join(', '));

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

export const csvHead = csvLine(names);

export const csvLines = (rows: readonly CsvRow[]): string =>
  rows.map((row) => csvLine(names.map((name) => row[name] ?? ''))).join('');
