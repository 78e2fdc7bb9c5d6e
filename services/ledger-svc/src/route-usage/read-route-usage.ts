import { tokenClasses, tokenFields } from '@tallyport/contracts';
import { type Database, type RawBuilder, sql } from '@tallyport/database';
import { requestOutcomes, type UsedRoute } from '@tallyport/management';
import { timeText } from '../requests/examined-records.ts';
import { ofScope, type RequestScope } from '../requests/request-scope.ts';
import { tokenColumn } from '../usage/usage-columns.ts';
import { answered } from '../usage/write-tallies.ts';

/** Requests that are examined of all routes together, unless that would be less than this of each. The text of the API names both. */
const mostOfAll = 10_000;
export const mostOfEach = 1_000;

interface UsageRow {
  name: string;
  since: string;
  model: string | null;
  reason: string;
  requests: number;
  failed: number;
  cost: string | null;
  tokens: number | null;
  duration_ms: number | null;
}

/**
 * Which models answered for the account's routes since the targets of each last changed, because weights before that are not
 * those of now. A bounded number of the newest records of each route is examined, in the order of an index; those that the
 * caller may see among them are counted, so a member with few requests costs no more.
 */
export async function readRouteUsage({ kysely }: Database, scope: RequestScope): Promise<UsedRoute[]> {
  const { rows } = await usageQuery(scope).execute(kysely);
  const byName = Map.groupBy(rows, ({ name }) => name);
  return [...byName].map(([name, models]) => ({
    name,
    since: models[0]?.since ?? '',
    models: models.flatMap(usedModel),
  }));
}

/** A route without requests has a row without a model. */
const usedModel = ({ model, reason, requests, failed, cost, tokens, duration_ms: durationMs }: UsageRow) =>
  model === null
    ? []
    : [
        {
          model,
          reason,
          requests,
          failed,
          ...(cost !== null && { costPerRequest: cost }),
          ...(tokens !== null && { tokensPerAnswer: tokens }),
          ...(durationMs !== null && { durationMs }),
        },
      ];

const answerTokens = tokenClasses
  .filter((name) => tokenFields[name].of === 'answer')
  .map((name) => tokenColumn(name))
  .join(' + ');

const byProvider = sql.raw(`filter (where ${answered})`);

export const usageQuery = ({ accountId, ...scope }: RequestScope): RawBuilder<UsageRow> => sql<UsageRow>`
  with used as materialized (
    select route.name, route.shares_since, most.records, record.*
    from routes as route
    cross join (
      select greatest(${mostOfEach}, ${mostOfAll} / greatest(count(*), 1)) as records from routes where account_id = ${accountId}
    ) as most
    left join lateral (
      select at, details #>> '{route,owner}' as owner, coalesce(details #>> '{route,target}', model) as model,
        details #>> '{route,reason}' as reason, key_id, project_id, cached, end_reason, cost, duration_ms, ${sql.raw(answerTokens)} as tokens
      from usage_records
      where account_id = ${accountId} and details #>> '{route,name}' = route.name and at >= route.shares_since
      order by at desc limit most.records
    ) as record on true
    where route.account_id = ${accountId}
  ), examined as (
    select name, case when count(at) < min(records) then min(shares_since) else min(at) end as since from used group by name
  )
  select examined.name, ${timeText(sql`since`)} as since, model, reason,
    (count(*) filter (where ${sql.raw(answered)} or cached))::int as requests,
    (count(*) filter (where ${sql.raw(requestOutcomes.failed.condition)}))::int as failed,
    trim_scale(round(avg(cost) ${byProvider}, 15))::text as cost,
    round(avg(tokens) ${byProvider})::float8 as tokens,
    percentile_disc(0.5) within group (order by duration_ms) ${byProvider} as duration_ms
  from examined left join used on used.name = examined.name and owner = 'account' and ${ofScope(scope)}
  group by examined.name, since, model, reason order by name, requests desc, model, reason`;
