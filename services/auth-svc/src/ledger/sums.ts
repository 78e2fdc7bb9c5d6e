import { tokenClasses, type Tokens } from '@switchyard/contracts';
import { type RawBuilder, sql } from '@switchyard/database';
import { z } from 'zod';
import { tokenColumn } from './write-usage.ts';

const count = z.number();

/** Sums over requests. `cost` is in USD, as decimal text. */
export const sumsSchema = z.object({
  requests: count,
  failed: count,
  /** Answered from the cache, for nothing. */
  cached: count,
  /** Without a price in the catalogue: what they cost is missing in `cost`. */
  unpriced: count,
  tokens: z.record(z.enum(tokenClasses), count),
  images: count,
  cost: z.string(),
  /** What of `cost` the account pays its providers itself, through keys of its own. */
  ownKeyCost: z.string(),
});

export type Sums = z.infer<typeof sumsSchema>;

/** As the database answers: the drivers do not agree on what a bigint is. */
export type SumsRow = Readonly<Record<string, string>>;

const counted = [
  'requests',
  'failed',
  'cached',
  'unpriced',
  'images',
  ...tokenClasses.map((name) => tokenColumn[name]),
];

/** What `sumsOf` reads, for a query over `usage_days` or `usage_hours`. */
export const sumColumns: RawBuilder<unknown> = sql.raw(
  [
    ...counted.map((name) => `coalesce(sum(${name}), 0)::text as ${name}`),
    'trim_scale(coalesce(sum(cost), 0))::text as cost',
    'trim_scale(coalesce(sum(cost) filter (where own_key), 0))::text as own_key_cost',
  ].join(', '),
);

export function sumsOf(row: SumsRow): Sums {
  const { requests, failed, cached, unpriced, images, cost = '0', own_key_cost: ownKeyCost = '0' } = row;
  return {
    requests: Number(requests),
    failed: Number(failed),
    cached: Number(cached),
    unpriced: Number(unpriced),
    tokens: tokensOf(row),
    images: Number(images),
    ...{ cost, ownKeyCost },
  };
}

const tokensOf = (row: SumsRow): Tokens =>
  Object.fromEntries(tokenClasses.map((name) => [name, Number(row[tokenColumn[name]])])) as Record<
    keyof Tokens,
    number
  >;
