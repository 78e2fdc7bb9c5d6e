import { type Queries, sql } from '../../packages/database/src/index.ts';
import { largeAccount } from './fill-people.ts';

/** Compares sums and tallies with the records of the large account on a day. Throws where they differ. */
export async function verifySums(queries: Queries, day: string): Promise<void> {
  const of = sql`account_id = ${largeAccount} and at >= ${day}::timestamptz and at < ${day}::timestamptz + interval '1 day'`;
  const counted = sql`count(*) filter (where end_reason <> 'refused') as requests, sum(input_tokens) as tokens, sum(cost) as cost`;
  const summed = sql`sum(requests) as requests, sum(input_tokens) as tokens, sum(cost) as cost`;
  const tallied = sql`select value, sum(requests)::bigint from usage_tallies where ${of} and measure = 'error' group by 1`;
  const failed = sql`select error, count(*) from usage_records where ${of} and error is not null group by 1`;
  const pairs = {
    usage_hours: [
      sql`select ${counted} from usage_records where ${of}`,
      sql`select ${summed} from usage_hours where ${of}`,
    ],
    usage_days: [
      sql`select ${counted} from usage_records where ${of}`,
      sql`select ${summed} from usage_days where ${of}`,
    ],
    usage_tallies: [failed, tallied],
  };
  for (const [table, [records, sums]] of Object.entries(pairs)) {
    const { rows } = await sql`(${records} except ${sums}) union all (${sums} except ${records})`.execute(queries);
    if (rows.length > 0) throw new Error(`${table} does not equal the records of ${day}: ${JSON.stringify(rows)}`);
  }
}
