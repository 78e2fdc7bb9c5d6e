import { type Database, sql } from '@tallyport/database';
import type { ConditionOf } from '@tallyport/management';
import { type AlertFindings, mostFindings } from './finding.ts';

/** Uses the hours of offers, so the cost does not grow with the number of requests. */
export async function findUptimes(
  { kysely }: Database,
  { provider, below, hours, atLeast }: ConditionOf<'provider_uptime'>,
): Promise<AlertFindings> {
  const { rows } = await sql<{ subject: string; attempts: number; failed: number }>`
    select provider as subject, sum(attempts)::double precision as attempts, sum(failed)::double precision as failed
    from offer_hours where at >= date_trunc('hour', now(), 'UTC') - make_interval(hours => ${hours - 1}::int)
      and (${provider ?? null}::text is null or provider = ${provider ?? null})
    group by 1 having sum(attempts) >= ${atLeast} order by 1 limit ${mostFindings}`.execute(kysely);
  return {
    findings: rows.map(({ subject, attempts, failed }) => {
      const value = 100 * (1 - failed / attempts);
      return { subject, name: subject, value: Math.round(value * 100) / 100, met: value < below };
    }),
    absent: 'unknown',
  };
}
