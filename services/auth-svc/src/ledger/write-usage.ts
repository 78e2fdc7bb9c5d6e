import { type TokenClass, tokenClasses, type UsageRecord } from '@switchyard/contracts';
import { type Queries, type RawBuilder, sql } from '@switchyard/database';

/** Endings that are somebody's fault or wish. What a cached or whole answer ends with is `done`. */
const goodEnd = 'done';

/**
 * Writes what is new of `records` and adds it to the sums of its hours and days, all or nothing; what was written before
 * changes nothing. Tells how many were new. The months' tables must be there.
 */
export async function writeUsage(queries: Queries, records: readonly UsageRecord[]): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    with entry as (
      select distinct on (at, id) *
      from jsonb_to_recordset(${JSON.stringify(records.map(rowOf))}::jsonb) as entry (${raw(columns.map(([name, type]) => `${name} ${type}`))})
      order by at, id
    ), fresh as (
      insert into usage_records (${names}) select ${names} from entry order by at, id
      on conflict do nothing
      returning *
    ), hours as (${addToSums('usage_hours', 'hour')}), days as (${addToSums('usage_days', 'day')})
    select count(*) from fresh`.execute(queries);
  return Number(rows[0]?.count ?? 0);
}

export const tokenColumn: Readonly<Record<TokenClass, string>> = {
  input: 'input_tokens',
  cacheRead: 'cache_read_tokens',
  cacheWrite: 'cache_write_tokens',
  output: 'output_tokens',
  reasoning: 'reasoning_tokens',
  imageIn: 'image_in_tokens',
  imageOut: 'image_out_tokens',
};

const raw = (parts: readonly string[]): RawBuilder<unknown> => sql.raw(parts.join(', '));

const columns: readonly (readonly [name: string, type: string])[] = [
  ['id', 'text'],
  ['at', 'timestamptz'],
  ['request_id', 'text'],
  ['account_id', 'text'],
  ['key_id', 'text'],
  ['operation', 'text'],
  ['requested_model', 'text'],
  ['model', 'text'],
  ['provider', 'text'],
  ['attempts', 'jsonb'],
  ...tokenClasses.map((name) => [tokenColumn[name], 'bigint'] as const),
  ['images', 'bigint'],
  ['cost', 'numeric'],
  ['costs', 'jsonb'],
  ['price_version', 'text'],
  ['source', 'text'],
  ['flags', 'jsonb'],
  ['own_key', 'boolean'],
  ['cached', 'boolean'],
  ['stream', 'boolean'],
  ['duration_ms', 'double precision'],
  ['first_byte_ms', 'double precision'],
  ['end_reason', 'text'],
];

const names = raw(columns.map(([name]) => name));

function rowOf(record: UsageRecord): Record<string, unknown> {
  const { id, at, operation, model, attempts, images, cost, costs, source, flags, cached, stream } = record;
  return {
    ...{ id, at, operation, model, attempts, images, cost, costs, source, flags, cached, stream },
    request_id: record.requestId,
    account_id: record.accountId,
    key_id: record.keyId,
    requested_model: record.requestedModel,
    provider: record.provider ?? '',
    price_version: record.priceVersion,
    own_key: record.ownKey,
    duration_ms: record.durationMs,
    first_byte_ms: record.firstByteMs ?? null,
    end_reason: record.endReason,
    ...Object.fromEntries(tokenClasses.map((name) => [tokenColumn[name], record.tokens[name]])),
  };
}

const sums: readonly (readonly [name: string, expression: string])[] = [
  ['requests', 'count(*)'],
  ['failed', `count(*) filter (where end_reason <> '${goodEnd}')`],
  ['cached', 'count(*) filter (where cached)'],
  ['unpriced', 'count(*) filter (where cost is null)'],
  ...tokenClasses.map((name) => [tokenColumn[name], `sum(${tokenColumn[name]})`] as const),
  ['images', 'sum(images)'],
  ['cost', 'coalesce(sum(cost), 0)'],
  ['duration_ms', 'sum(duration_ms)'],
];

const place = 'account_id, at, key_id, model, provider, own_key';

/** In one order everywhere: replicas that write at the same time wait for each other and never in a circle. */
const addToSums = (table: string, unit: 'hour' | 'day'): RawBuilder<unknown> =>
  sql.raw(`
    insert into ${table} (${place}, ${sums.map(([name]) => name).join(', ')})
    select account_id, date_trunc('${unit}', at, 'UTC'), key_id, model, provider, own_key,
      ${sums.map(([, expression]) => expression).join(', ')}
    from fresh group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (${place}) do update set
      ${sums.map(([name]) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`);
