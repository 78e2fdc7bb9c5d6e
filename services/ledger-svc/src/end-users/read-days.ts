import { type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { EndUserSums } from '@tallyport/management';
import { dayColumn } from '../usage/day-column.ts';
import { endUserSums } from '../usage/end-user-sums.ts';
import { amountColumns, amountsOf, type AmountsRow } from './amounts.ts';

type DaySums = EndUserSums & { day: string };

/** Reads the UTC days of the end users that a condition selects, in order. Those without requests have none. */
export async function readDays(queries: Queries, condition: RawBuilder<unknown>): Promise<Map<string, DaySums[]>> {
  const { rows } = await sql<AmountsRow & { end_user: string; day: string }>`
    select end_user, ${dayColumn} as day, ${amountColumns} from ${endUserSums}
    where ${condition} group by 1, 2 order by 2`.execute(queries);
  const days = Map.groupBy(rows, ({ end_user: name }) => name);
  return new Map([...days].map(([name, own]) => [name, own.map((row) => ({ day: row.day, ...amountsOf(row) }))]));
}
