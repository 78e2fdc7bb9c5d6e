import { byName, countFields, namesOf, tokenClasses } from '@tallyport/contracts';
import { type RawBuilder, sql } from '@tallyport/database';
import { requestCountNames, type RequestOutcomeName, requestOutcomes, type Sums } from '@tallyport/management';
import { tokenColumn } from './usage-columns.ts';

/** The SQL of the counts of requests, over the records of an hour or a day. */
export const requestCounts = {
  /** A refused request is none: no provider was called, and it has a count of its own. */
  requests: `count(*) filter (where not (${requestOutcomes.refused.condition}))`,
  /** Completed responses, cached ones included, end with `done`. Callers that left have a count of their own. */
  failed: countOf('failed'),
  /** Served from the cache, at no cost. */
  cached: countOf('cached'),
  /** Requests without a price in the catalogue; `cost` does not include them. */
  unpriced: 'count(*) filter (where cost is null)',
  /** Also those of a flood that have no record of their own. */
  refused: `coalesce(sum(1 + coalesce((details->>'unrecorded')::bigint, 0)) filter (where ${requestOutcomes.refused.condition}), 0)`,
  /** The caller left before the end. */
  abandoned: countOf('client_left'),
  rescued: countOf('rescued'),
} as const satisfies Record<(typeof requestCountNames)[number], string>;

function countOf(outcome: RequestOutcomeName): string {
  return `count(*) filter (where ${requestOutcomes[outcome].condition})`;
}

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
    'trim_scale(coalesce(sum(prompt_cache_surcharge), 0))::text as prompt_cache_surcharge',
    'coalesce(sum(cacheable_tokens), 0)::text as cacheable_tokens',
  ].join(', '),
);

export function sumsOf(row: SumsRow): Sums {
  const { cost = '0', own_key_cost: ownKeyCost = '0' } = row;
  const { prompt_cache_savings: promptCacheSavings = '0', prompt_cache_surcharge: promptCacheSurcharge = '0' } = row;
  return {
    ...byName(requestCountNames, (name) => Number(row[name])),
    tokens: byName(tokenClasses, (name) => Number(row[tokenColumn(name)])),
    ...byName(ofUse, (name) => Number(row[countFields[name].name])),
    cost,
    ownKeyCost,
    promptCacheSavings,
    promptCacheSurcharge,
    cacheableTokens: Number(row['cacheable_tokens']),
  };
}
