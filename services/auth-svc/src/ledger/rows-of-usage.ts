import type { UsageRecord } from '@switchyard/contracts';
import { type RawBuilder, sql } from '@switchyard/database';
import { type UsageColumn, usageColumns } from './usage-columns.ts';

/**
 * A query for the rows of records. Each column is one parameter: the value that all records have, which most columns do,
 * or an array. The embedded database reads these in half the time that it needs for the same rows as JSON.
 */
export const rowsOfUsage = (records: readonly UsageRecord[]): RawBuilder<unknown> =>
  sql`select ${sql.join(usageColumns.map((column) => valuesOf(column, records)))}`;

function valuesOf({ name, type, valueIn }: UsageColumn, records: readonly UsageRecord[]): RawBuilder<unknown> {
  const isJson = type === 'jsonb';
  const values = records.map((record) => (isJson ? jsonOf(valueIn(record)) : valueIn(record)));
  const [first] = values;
  const as = sql.ref(name);
  if (values.every((value) => value === first)) {
    return sql`${first === null ? null : String(first)}::text::${sql.raw(type)} as ${as}`;
  }
  // Parsing one JSON array is faster than parsing each of its elements.
  if (isJson)
    return sql`nullif(jsonb_array_elements(${`[${values.map(String).join()}]`}::text::jsonb), 'null') as ${as}`;
  return sql`unnest(${`{${values.map(elementOf).join()}}`}::text::${sql.raw(type)}[]) as ${as}`;
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** An element of an array in the text form of Postgres. */
function elementOf(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = !value.includes('"') && !value.includes('\\');
  return `"${isPlain ? value : value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
