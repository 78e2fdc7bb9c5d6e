import { type Queries, type RawBuilder, sql } from '@tallyport/database';
import { endUserSums } from '../usage/end-user-sums.ts';
import { percentilesOf } from '../usage/histogram.ts';

interface BucketRow {
  group: string;
  bucket: number;
  requests: number;
}

/** Reads the p95 of the requests that a condition selects, in milliseconds by group. Those without an answer have none. */
export async function readP95(
  queries: Queries,
  condition: RawBuilder<unknown>,
  group: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<BucketRow>`
    select ${group} as ${sql.ref('group')}, (array_lower(duration, 1) + place - 1)::int as bucket,
      sum(count)::double precision as requests
    from ${endUserSums} cross join lateral unnest(duration) with ordinality as counted(count, place)
    where ${condition} and count is not null group by 1, 2`.execute(queries);
  return new Map(
    [...Map.groupBy(rows, (row) => row.group)].flatMap(([name, own]) => {
      const percentiles = percentilesOf(new Map(own.map(({ bucket, requests }) => [bucket, requests])));
      return percentiles === undefined ? [] : [[name, percentiles.p95]];
    }),
  );
}
