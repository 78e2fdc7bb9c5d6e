import { type RawBuilder, sql } from '@tallyport/database';

/** The sums of end users: by hour, and by day where the hours were added up. Both are ordinary rows of the same columns. */
export const endUserSums = sql`(select * from end_user_hours union all select * from end_user_days) as sums`;

export const endUserTables = ['end_user_hours', 'end_user_days'] as const;
export type EndUserTable = (typeof endUserTables)[number];

/** SQL: adds rows of all columns to the sums of a table. Replicas that add them in one order do not wait in a circle. */
export const addToEndUserSums = (table: EndUserTable, rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into ${sql.table(table)} as kept (account_id, end_user, at, key_id, project_id, requests, tokens, cost, own_key_cost,
    failed, duration)
  ${rows}
  on conflict (account_id, end_user, at, key_id, project_id) do update set
    requests = kept.requests + excluded.requests, tokens = kept.tokens + excluded.tokens,
    cost = kept.cost + excluded.cost, own_key_cost = kept.own_key_cost + excluded.own_key_cost,
    failed = kept.failed + excluded.failed, duration = add_histograms(kept.duration, excluded.duration)`;
