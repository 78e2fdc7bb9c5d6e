import { type Database, sql } from '@tallyport/database';
import type { ConditionOf } from '@tallyport/management';
import { dimensionColumns, filteredCondition } from '../../usage/filtered-usage.ts';
import { lastHours } from '../../usage/hours.ts';
import { usageRelation } from '../../usage/usage-relation.ts';
import { type AlertFindings, type ConditionPlace, mostFindings } from './finding.ts';
import { subjectNames } from './subject-names.ts';

/** Uses the hourly sums, so the cost does not grow with the number of requests. */
export async function findErrorRates(
  database: Database,
  { accountId, accountName, now }: ConditionPlace,
  { model, key, per, above, hours, atLeast }: ConditionOf<'error_rate'>,
): Promise<AlertFindings> {
  const selected = { accountId, model, keyId: key, ...lastHours(hours, now) };
  const subject = per === undefined ? sql`${key ?? accountId}::text` : dimensionColumns[per];
  const { rows } = await sql<{ subject: string; percent: number }>`
    select ${subject} as subject, 100 * sum(failed)::double precision / sum(requests)::double precision as percent
    from ${usageRelation('hours', selected, per === undefined ? [] : [per])} where ${filteredCondition(selected)}
    group by 1 having sum(requests) >= ${atLeast} order by 2 desc, 1 limit ${mostFindings}`.execute(database.kysely);
  const isOfKeys = per === undefined ? key !== undefined : per === 'key';
  const ids = isOfKeys ? rows.map((row) => row.subject) : [];
  const nameOf = await subjectNames(database, accountId, { kind: 'key', ids });
  return {
    findings: rows.map(({ subject: id, percent }) => ({
      subject: id,
      name: id === accountId ? accountName : nameOf(id),
      value: Math.round(percent * 100) / 100,
      met: percent > above,
    })),
    absent: 'unknown',
  };
}
