import type { UsageOperation } from '@tallyport/contracts';
import { type RawBuilder, sql } from '@tallyport/database';
import { type RequestOutcomeName, requestOutcomes } from '@tallyport/management';

export interface RequestFilters {
  from: Date;
  /** Exclusive. */
  until: Date | undefined;
  outcome?: RequestOutcomeName | undefined;
  /** Of this project, or with `none` of none. */
  project?: string | undefined;
  endUser?: string | undefined;
  model?: string | undefined;
  /** The provider that answered. */
  provider?: string | undefined;
  /** A provider that was called. */
  tried?: string | undefined;
  /** A provider whose call failed by its own fault. */
  failedAt?: string | undefined;
  operation?: UsageOperation | undefined;
  status?: number | undefined;
  cached?: boolean | undefined;
  /** An error code, or `any`. */
  error?: string | undefined;
  costOver?: string | undefined;
  /** Of the record or of the request. */
  id?: string | undefined;
}

/**
 * The condition with an index of its own that leaves the fewest records. Records may also satisfy one of two such
 * conditions; none satisfies both.
 */
export function narrowings(filters: RequestFilters, byKey: boolean): readonly RawBuilder<unknown>[] {
  const { id, tried } = filters;
  if (id !== undefined) return [sql`(id = ${id} or request_id = ${id})`];
  if (byKey) return [sql`true`];
  const [narrowest] = indexed(filters);
  if (narrowest !== undefined) return [narrowest];
  return tried === undefined ? [sql`true`] : [sql`provider = ${tried}`, sql`${attemptFailed} and provider <> ${tried}`];
}

/** The indexes of statuses and operations leave out the usual ones. */
function indexed(filters: RequestFilters): RawBuilder<unknown>[] {
  const { endUser, project, model, provider } = filters;
  return [
    ...indexedOutcomes(filters),
    endUser !== undefined && sql`end_user = ${endUser}`,
    project !== undefined && project !== 'none' && sql`project_id = ${project}`,
    filters.error !== undefined && sql`error is not null`,
    model !== undefined && sql`model = ${model}`,
    provider !== undefined && sql`provider = ${provider}`,
  ].filter((condition) => condition !== false);
}

function indexedOutcomes(filters: RequestFilters): (RawBuilder<unknown> | false)[] {
  const { error, status, operation } = filters;
  return [
    error !== undefined && error !== 'any' && sql`error = ${error}`,
    status !== undefined && status !== 200 && sql`(status = ${status} and status <> 200)`,
    operation !== undefined && operation !== 'chat' && sql`(operation = ${operation} and operation <> 'chat')`,
    ...indexedEnds(filters),
  ];
}

const indexedEnds = ({ outcome, failedAt }: RequestFilters): (RawBuilder<unknown> | false)[] => [
  (failedAt !== undefined || outcome === 'failed_over' || outcome === 'rescued') && attemptFailed,
  (outcome === 'failed' || outcome === 'refused' || outcome === 'client_left') && conditionOf(outcome),
];

/** As in the index. */
const attemptFailed = sql`attempts @? '$[*] ? (@.error != "none")'`;

const conditionOf = (outcome: RequestOutcomeName): RawBuilder<unknown> =>
  sql.raw(`(${requestOutcomes[outcome].condition})`);

/** Every condition but that of an id, which the narrowing has. */
export function checkedConditions(filters: RequestFilters): RawBuilder<unknown>[] {
  const { project, endUser, model, provider, operation, status, cached, error, costOver } = filters;
  const conditions = attemptConditions(filters);
  if (project !== undefined)
    conditions.push(project === 'none' ? sql`project_id is null` : sql`project_id = ${project}`);
  if (endUser !== undefined) conditions.push(sql`end_user = ${endUser}`);
  if (model !== undefined) conditions.push(sql`model = ${model}`);
  if (provider !== undefined) conditions.push(sql`provider = ${provider}`);
  if (operation !== undefined) conditions.push(sql`operation = ${operation}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (cached !== undefined) conditions.push(sql`cached = ${cached}`);
  if (error !== undefined) conditions.push(error === 'any' ? sql`error is not null` : sql`error = ${error}`);
  if (costOver !== undefined) conditions.push(sql`cost > ${costOver}::numeric`);
  return conditions;
}

function attemptConditions({ outcome, tried, failedAt }: RequestFilters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (outcome !== undefined) conditions.push(conditionOf(outcome));
  if (tried !== undefined) conditions.push(sql`attempts @> ${JSON.stringify([{ provider: tried }])}::jsonb`);
  if (failedAt !== undefined)
    conditions.push(sql`jsonb_path_exists(attempts, '$[*] ? (@.provider == $name && @.error starts with "provider_")',
      ${JSON.stringify({ name: failedAt })}::jsonb)`);
  return conditions;
}
