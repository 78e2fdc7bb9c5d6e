import { type Database, sql } from '@tallyport/database';
import type { RequestSums } from '@tallyport/management';
import { allTokens } from '../usage/usage-columns.ts';
import { examinedRecords, matching, readInOrder, shareOfKey, timeText } from './examined-records.ts';
import { mostCounted } from './list-requests.ts';
import type { RequestFilters } from './request-filters.ts';
import type { RequestScope } from './request-scope.ts';

interface SumsRow {
  requests: string;
  tokens: string;
  cost: string;
  examined: string;
  since: string;
}

/** Counts the requests that match and adds them up, among a bounded number of the newest. */
export async function sumRequests(
  database: Database,
  scope: RequestScope,
  filters: RequestFilters,
): Promise<RequestSums> {
  const examination = { scope, filters, most: shareOfKey(scope, mostCounted) };
  const { rows } = await readInOrder(database, examination, (queries) =>
    sql<SumsRow>`select count(*) filter (where matches)::text as requests,
        coalesce(sum(tokens) filter (where matches), 0)::text as tokens,
        trim_scale(coalesce(sum(cost) filter (where matches), 0))::text as cost,
        count(*)::text as examined, ${timeText(sql`min(at)`)} as since
      from (select at, cost, ${sql.raw(allTokens)} as tokens, ${matching(examination)} as matches
        from ${examinedRecords(examination)}) as checked`.execute(queries),
  );
  const [{ requests, tokens: sum, cost, examined, since } = none] = rows;
  const isWhole = Number(examined) < examination.most;
  return { requests: Number(requests), tokens: Number(sum), cost, ...(!isWhole && { since }) };
}

const none: SumsRow = { requests: '0', tokens: '0', cost: '0', examined: '0', since: '' };
