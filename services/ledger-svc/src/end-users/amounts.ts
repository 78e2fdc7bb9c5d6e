import { sql } from '@tallyport/database';
import type { EndUserSums } from '@tallyport/management';

export interface AmountsRow {
  requests: string;
  tokens: string;
  cost: string;
  own_key_cost: string;
}

/** SQL: what is added up of end users. */
export const amountColumns = sql`coalesce(sum(requests), 0)::text as requests,
  coalesce(sum(tokens), 0)::text as tokens, trim_scale(coalesce(sum(cost), 0))::text as cost,
  trim_scale(coalesce(sum(own_key_cost), 0))::text as own_key_cost`;

export const amountsOf = (row: AmountsRow | undefined): EndUserSums => ({
  requests: Number(row?.requests ?? 0),
  tokens: Number(row?.tokens ?? 0),
  cost: row?.cost ?? '0',
  ownKeyCost: row?.own_key_cost ?? '0',
});
