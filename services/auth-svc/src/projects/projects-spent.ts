import { type Queries, sql } from '@tallyport/database';

interface WantedSpending {
  id: string;
  /** The start of the period, which is the start of a day; absent if all spending ever counts. */
  since: Date | undefined;
  /** Of the budget, in USD. */
  amount: string | undefined;
}

interface ProjectSpending {
  spent: string;
  left?: string;
}

/** What projects have spent, and what is left of their budgets. Requests that accounts paid for themselves do not count. */
export async function projectsSpent(
  queries: Queries,
  accountId: string,
  wanted: readonly WantedSpending[],
): Promise<ReadonlyMap<string, ProjectSpending>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<{ id: string; spent: string; left: string | null }>`
    select wanted.id, trim_scale(summed.cost)::text as spent,
      trim_scale(greatest(0, wanted.amount - summed.cost))::text as left
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (id text, since timestamptz, amount numeric)
    cross join lateral (
      select coalesce(sum(cost), 0) as cost from usage_summary_days
      where account_id = ${accountId} and dimension = 'project' and value = wanted.id and not own_key
        and at >= coalesce(wanted.since, '-infinity')
    ) as summed`.execute(queries);
  return new Map(rows.map(({ id, spent, left }) => [id, { spent, ...(left !== null && { left }) }]));
}
