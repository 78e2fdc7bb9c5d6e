import { sql } from '@tallyport/database';
import type { EndUserSums } from '@tallyport/management';

export interface AmountsRow {
  requests: string;
  failed: string;
  tokens: string;
  cost: string;
  own_key_cost: string;
}

/** SQL: what is added up of end users. */
export const amountColumns = sql`coalesce(sum(requests), 0)::text as requests, coalesce(sum(failed), 0)::text as failed,
  coalesce(sum(tokens), 0)::text as tokens, trim_scale(coalesce(sum(cost), 0))::text as cost,
  trim_scale(coalesce(sum(own_key_cost), 0))::text as own_key_cost`;

/** With the p95 of the same requests, if a provider answered any. */
export const amountsOf = (row: AmountsRow | undefined, p95Ms?: number): EndUserSums => ({
  requests: Number(row?.requests ?? 0),
  failed: Number(row?.failed ?? 0),
  tokens: Number(row?.tokens ?? 0),
  cost: row?.cost ?? '0',
  ownKeyCost: row?.own_key_cost ?? '0',
  ...(p95Ms !== undefined && { p95Ms }),
});
