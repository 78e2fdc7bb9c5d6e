import { byName, countFields, namesOf, tokenClasses } from '@tallyport/contracts';
import { type RawBuilder, sql } from '@tallyport/database';
import { requestCountNames, type Sums } from '@tallyport/management';
import { tokenColumn } from './usage-columns.ts';

/** The SQL of the counts of requests, over the records of an hour or a day. */
export const requestCounts = {
  /** A refused request is none: no provider was called, and it has a count of its own. */
  requests: `count(*) filter (where end_reason <> 'refused')`,
  /** Completed responses, cached ones included, end with `done`. Callers that left have a count of their own. */
  failed: `count(*) filter (where end_reason not in ('done', 'refused', 'client_gone'))`,
  /** Served from the cache, at no cost. */
  cached: 'count(*) filter (where cached)',
  /** Requests without a price in the catalogue; `cost` does not include them. */
  unpriced: 'count(*) filter (where cost is null)',
  /** Also those of a flood that have no record of their own. */
  refused: `coalesce(sum(1 + coalesce((details->>'unrecorded')::bigint, 0)) filter (where end_reason = 'refused'), 0)`,
  /** The caller left before the end. */
  abandoned: `count(*) filter (where end_reason = 'client_gone')`,
  /** Answered by this provider after another one had failed. */
  rescued: `count(*) filter (where end_reason = 'done' and provider <> '' and attempts->0->>'provider' <> provider)`,
} as const satisfies Record<(typeof requestCountNames)[number], string>;

const ofUse = namesOf(countFields);

/** A row of the database. All values are text, because drivers return a bigint in different types. */
export type SumsRow = Readonly<Record<string, string>>;

const countColumns = [
  ...requestCountNames,
  ...tokenClasses.map((name) => tokenColumn(name)),
  ...ofUse.map((name) => countFields[name].name),
];

/** The columns that `sumsOf` reads, for a query over `usage_days` or `usage_hours`. */
export const sumColumns: RawBuilder<unknown> = sql.raw(
  [
    ...countColumns.map((name) => `coalesce(sum(${name}), 0)::text as ${name}`),
    'trim_scale(coalesce(sum(cost), 0))::text as cost',
    'trim_scale(coalesce(sum(cost) filter (where own_key), 0))::text as own_key_cost',
    'trim_scale(coalesce(sum(prompt_cache_savings), 0))::text as prompt_cache_savings',
  ].join(', '),
);

export function sumsOf(row: SumsRow): Sums {
  const { cost = '0', own_key_cost: ownKeyCost = '0', prompt_cache_savings: promptCacheSavings = '0' } = row;
  return {
    ...byName(requestCountNames, (name) => Number(row[name])),
    tokens: byName(tokenClasses, (name) => Number(row[tokenColumn(name)])),
    ...byName(ofUse, (name) => Number(row[countFields[name].name])),
    cost,
    ownKeyCost,
    promptCacheSavings,
  };
}
