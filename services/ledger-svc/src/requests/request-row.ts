import { byName, countFields, namesOf, tokenClasses, type UsageOperation } from '@tallyport/contracts';
import { type RawBuilder, sql } from '@tallyport/database';
import { requestOutcomeNames, requestOutcomes, type RequestSummary } from '@tallyport/management';
import { tokenColumn } from '../usage/usage-columns.ts';

const counts = namesOf(countFields);

/** A row with the columns of a summary. */
export interface RequestRow {
  id: string;
  request_id: string;
  at: string;
  key_id: string;
  project_id: string | null;
  key_name: string | null;
  end_user: string | null;
  operation: UsageOperation;
  requested_model: string;
  model: string;
  provider: string;
  status: number | null;
  error: string | null;
  end_reason: string;
  outcomes: string[];
  cached: boolean;
  stream: boolean;
  own_key: boolean;
  attempt_count: number;
  cost: string | null;
  duration_ms: number;
  first_byte_ms: number | null;
  /** Tokens by class, then other counts. */
  counts: readonly number[];
}

const countColumns = [
  ...tokenClasses.map((name) => tokenColumn(name)),
  ...counts.map((name) => countFields[name].name),
];

const outcomesOfRecord = `to_jsonb(array_remove(array[${requestOutcomeNames
  .map((name) => `case when ${requestOutcomes[name].condition} then '${name}' end`)
  .join(', ')}], null)) as outcomes`;

/** Of `record`. Numbers of the database that drivers return in different types are converted there. */
export const summaryColumns: RawBuilder<unknown> = sql.raw(`
  record.id, record.request_id, record.key_id, record.project_id, record.end_user, record.operation, record.requested_model,
  record.model, record.provider,
  to_char(record.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, record.status::int as status, record.error,
  record.end_reason, ${outcomesOfRecord}, record.cached, record.stream, record.own_key,
  jsonb_array_length(record.attempts) as attempt_count, trim_scale(record.cost)::text as cost,
  (select name from api_keys where api_keys.id = record.key_id and api_keys.account_id = record.account_id) as key_name,
  record.duration_ms, record.first_byte_ms,
  jsonb_build_array(${countColumns.map((name) => `record.${name}`).join(', ')}) as counts`);

export function summaryOf(row: RequestRow): RequestSummary {
  return {
    id: row.id,
    requestId: row.request_id,
    at: row.at,
    keyId: row.key_id,
    operation: row.operation,
    requestedModel: row.requested_model,
    model: row.model,
    endReason: row.end_reason,
    outcomes: row.outcomes,
    cached: row.cached,
    stream: row.stream,
    ownKey: row.own_key,
    attemptCount: row.attempt_count,
    tokens: byName(tokenClasses, (name) => row.counts[tokenClasses.indexOf(name)] ?? 0),
    ...byName(counts, (name) => row.counts[tokenClasses.length + counts.indexOf(name)] ?? 0),
    cost: row.cost,
    durationMs: row.duration_ms,
    ...(row.key_name !== null && { keyName: row.key_name }),
    ...(row.project_id !== null && { projectId: row.project_id }),
    ...(row.end_user !== null && { endUser: row.end_user }),
    // No provider answered.
    ...(row.provider !== '' && { provider: row.provider }),
    ...(row.status !== null && { status: row.status }),
    ...(row.error !== null && { error: row.error }),
    ...(row.first_byte_ms !== null && { firstByteMs: row.first_byte_ms }),
  };
}
