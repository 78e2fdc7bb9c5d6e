import { type Database, type RawBuilder, sql } from '@tallyport/database';
import type { DaySpan } from './weeks.ts';
import { summedExpressions } from './write-usage.ts';
import { histogramOf } from './write-tallies.ts';

/** Whose records a query adds up, instead of sums: these have neither the model nor the provider of an end user. */
export interface EndUserOf {
  accountId: string;
  name: string;
}

/** Records of an end user that are added up, the newest ones. The texts of the API name the number. */
const mostRecords = 10_000;

const placesBy = (unit: 'hour' | 'day'): string =>
  `account_id, date_trunc('${unit}', at, 'UTC') as at, key_id, model, provider, coalesce(project_id, '') as project_id`;

/** SQL: the sums of the records, as the relation `usage`. */
export const endUserUsage = (endUser: EndUserOf, span: DaySpan, unit: 'hour' | 'day'): RawBuilder<unknown> => {
  const amounts = summedExpressions.map(([name, expression]) => `${expression} as ${name}`).join(', ');
  return sql`(
    select ${sql.raw(`${placesBy(unit)}, own_key, ${amounts}`)} from ${newest(endUser, span)} group by 1, 2, 3, 4, 5, 6, 7
  ) as usage`;
};

/** SQL: the errors of the records, as the relation `usage`. */
export const endUserErrors = (endUser: EndUserOf, span: DaySpan): RawBuilder<unknown> => sql`(
    select ${sql.raw(placesBy('hour'))}, 'error' as measure, error as value, 1 as requests
    from ${newest(endUser, span)} where error is not null
  ) as usage`;

/** SQL: the times and speeds of the records as histograms, as the relation `usage`. */
export const endUserHistograms = (endUser: EndUserOf, span: DaySpan): RawBuilder<unknown> => {
  const histograms = (['duration', 'first_byte', 'speed'] as const).map((name) => `${histogramOf(name)} as ${name}`);
  return sql`(
    select ${sql.raw(`${placesBy('hour')}, 1 as sign, ${histograms.join(', ')}`)} from ${newest(endUser, span)}
  ) as usage`;
};

/** The time of the oldest record that is added up, if there are older ones. */
export async function endUserSince(
  { kysely }: Database,
  endUser: EndUserOf,
  span: DaySpan,
): Promise<string | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select at from (${inOrder(endUser, span)} offset ${mostRecords - 1} limit 2) as last order by at desc`.execute(
    kysely,
  );
  return rows.length < 2 ? undefined : rows[0]?.at.toISOString();
}

const newest = (endUser: EndUserOf, span: DaySpan): RawBuilder<unknown> =>
  sql`(${inOrder(endUser, span)} limit ${mostRecords}) as examined`;

const inOrder = ({ accountId, name }: EndUserOf, { from, until }: DaySpan): RawBuilder<unknown> =>
  sql`select * from usage_records where account_id = ${accountId} and end_user = ${name}
    and at >= ${from} and at < ${until} order by at desc, id desc`;
