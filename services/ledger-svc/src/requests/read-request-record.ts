import {
  costClasses,
  type CostClass,
  countClasses,
  countFields,
  GatewayError,
  planOfText,
  tokenClasses,
  type UsageDetails,
  type UsagePlan,
  type UsageRecord,
} from '@tallyport/contracts';
import { type Database, type RawBuilder, sql } from '@tallyport/database';
import type { RequestRecord } from '@tallyport/management';
import { tokenColumn } from '../usage/usage-columns.ts';
import { ofScope, type RequestScope } from './request-scope.ts';
import { type RequestRow, summaryColumns, summaryOf } from './request-row.ts';

interface RecordRow extends RequestRow {
  attempts: UsageRecord['attempts'];
  parts: { class: CostClass; count: number | null; price: string | null; cost: string }[] | null;
  prompt_cache_savings: string;
  price_version: string;
  tier_asked: string | null;
  tier: string | null;
  source: string;
  flags: string[];
  guardrails: UsageRecord['guardrails'] | null;
  details: UsageDetails | null;
}

/** Returns one request of the scope. Throws `not_found`, also for a request of another scope. */
export async function readRequestRecord(
  { kysely }: Database,
  { accountId, ...scope }: RequestScope,
  id: string,
): Promise<RequestRecord> {
  const { rows } = await sql<RecordRow>`
    select ${summaryColumns}, record.attempts, ${costParts} as parts,
      trim_scale(record.prompt_cache_savings)::text as prompt_cache_savings,
      record.price_version, record.tier_asked, record.tier, record.source, record.flags, record.guardrails, record.details
    from usage_records as record where id = ${id} and account_id = ${accountId} and ${ofScope(scope)} limit 1`.execute(
    kysely,
  );
  const [row] = rows;
  if (row !== undefined) return recordOf(row);
  throw new GatewayError(
    'not_found',
    'This request does not exist, or its record was deleted after the retention time. List requests: GET /api/v1/requests',
  );
}

/** What each class counts. The others, such as a total of the vendor, count nothing. */
const countOfClass: readonly (readonly [CostClass, string])[] = [
  ...tokenClasses.map((name) => [name, tokenColumn(name)] as const),
  ...countClasses.map((name) => [name, countFields[name].name] as const),
];

/** The price of one is the cost divided by the count: the ledger keeps only the version of the prices. */
const costParts: RawBuilder<unknown> = sql.raw(`(
  select jsonb_agg(jsonb_build_object('class', part.key, 'cost', part.value, 'count', counted.count,
    'price', trim_scale(part.value::numeric / nullif(counted.count, 0))::text))
  from jsonb_each_text(record.costs) as part
  left join (values ${countOfClass.map(([name, column]) => `('${name}', record.${column})`).join(', ')})
    as counted (class, count) on counted.class = part.key)`);

function recordOf(row: RecordRow): RequestRecord {
  const { planMs, cache, tokenLimit, tokensLeft = 0, unrecorded, offers, route } = row.details ?? {};
  const plan = planOfText(offers);
  return {
    ...summaryOf(row),
    attempts: row.attempts.map(attemptOf),
    costs: costsOf(row),
    promptCacheSavings: row.prompt_cache_savings,
    priceVersion: row.price_version,
    ...(row.tier_asked !== null && { tierAsked: row.tier_asked }),
    ...(row.tier !== null && { tier: row.tier }),
    source: row.source,
    flags: row.flags,
    guardrails: row.guardrails ?? [],
    ...(plan && { plan: planOf(plan) }),
    ...(route !== undefined && { route }),
    ...(planMs !== undefined && { planMs }),
    ...(cache !== undefined && { cache }),
    ...(tokenLimit !== undefined && { tokenLimit: { perMinute: tokenLimit, left: tokensLeft } }),
    ...(unrecorded !== undefined && { unrecorded }),
  };
}

const attemptOf = ({
  ms,
  ownKey,
  native,
  ...attempt
}: RecordRow['attempts'][number]): RequestRecord['attempts'][number] => ({
  ...attempt,
  durationMs: ms,
  key: ownKey ? 'own' : 'service',
  lane: native ? 'native' : 'translated',
});

const planOf = ({ offers, ...plan }: UsagePlan): RequestRecord['plan'] => ({
  ...plan,
  offers: offers.map(({ ownKey, ...offer }) => ({ ...offer, key: ownKey ? 'own' : 'service' })),
});

/** In the order of the classes. Classes of a newer version are left out. */
const costsOf = ({ parts }: RecordRow): RequestRecord['costs'] =>
  costClasses.flatMap((name) =>
    (parts ?? [])
      .filter((part) => part.class === name)
      .map(({ cost, count, price }) => ({
        class: name,
        cost,
        ...(count !== null && { count }),
        ...(price !== null && { price }),
      })),
  );
