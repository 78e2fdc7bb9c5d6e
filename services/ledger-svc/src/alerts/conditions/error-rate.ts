import { type Database, sql } from '@tallyport/database';
import type { ConditionOf } from '@tallyport/management';
import type { AlertFindings } from './finding.ts';

/** Uses the hourly sums, so the cost does not grow with the number of requests. */
export async function findErrorRate(
  { kysely }: Database,
  { accountId, accountName }: { accountId: string; accountName: string },
  { model, above, hours, atLeast }: ConditionOf<'error_rate'>,
): Promise<AlertFindings> {
  const { rows } = await sql<{ requests: number; failed: number }>`
    select coalesce(sum(requests), 0)::double precision as requests, coalesce(sum(failed), 0)::double precision as failed
    from usage_hours where account_id = ${accountId}
      and at >= date_trunc('hour', now(), 'UTC') - make_interval(hours => ${hours - 1}::int)
      and (${model ?? null}::text is null or model = ${model ?? null})`.execute(kysely);
  const { requests = 0, failed = 0 } = rows[0] ?? {};
  if (requests < atLeast) return { findings: [], absent: 'unknown' };
  const value = (100 * failed) / requests;
  const finding = { subject: accountId, name: accountName, value: Math.round(value * 100) / 100, met: value > above };
  return { findings: [finding], absent: 'unknown' };
}
