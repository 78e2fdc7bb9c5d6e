import { type Database, sql } from '@tallyport/database';
import type { ConditionOf } from '@tallyport/management';
import { filteredCondition } from '../../usage/filtered-usage.ts';
import { percentilesOf, sumHistograms } from '../../usage/histogram.ts';
import { histogramRelation } from '../../usage/histogram-relation.ts';
import { lastHours } from '../../usage/hours.ts';
import type { AlertFindings, ConditionPlace } from './finding.ts';

/** Uses one histogram an hour, so the cost does not grow with the number of requests. */
export async function findLatency(
  { kysely }: Database,
  { accountId, accountName, now }: ConditionPlace,
  { model, above, hours, atLeast }: ConditionOf<'latency'>,
): Promise<AlertFindings> {
  const selected = { accountId, model, ...lastHours(hours, now) };
  const { rows } = await sql<{ histogram: string; sign: number }>`
    select duration::text as histogram, sign from ${histogramRelation('hours', selected, [])}
    where ${filteredCondition(selected)}`.execute(kysely);
  const percentiles = percentilesOf(sumHistograms(rows));
  if (percentiles === undefined || percentiles.count < atLeast) return { findings: [], absent: 'unknown' };
  const value = Math.round(percentiles.p95);
  const subject = model === undefined ? { subject: accountId, name: accountName } : { subject: model, name: model };
  return { findings: [{ ...subject, value, met: value > above }], absent: 'unknown' };
}
