import { type Database, sql } from '@tallyport/database';
import type { ConditionOf } from '@tallyport/management';
import { dayMs } from '../../usage/days.ts';
import { dimensionColumns, filteredCondition } from '../../usage/filtered-usage.ts';
import { usageRelation } from '../../usage/usage-relation.ts';
import { type AlertFindings, type ConditionPlace, mostFindings } from './finding.ts';
import { subjectNames } from './subject-names.ts';

/** Uses the daily sums. Requests that the account paid for itself are not counted; the next day resolves it. */
export async function findDailyCosts(
  database: Database,
  { accountId, accountName, now }: ConditionPlace,
  { scope, id, above }: ConditionOf<'daily_cost'>,
): Promise<AlertFindings> {
  const from = new Date(now.getTime() - (now.getTime() % dayMs));
  const own = { ...(scope === 'key' && { keyId: id }), ...(scope === 'project' && { projectId: id }) };
  const selected = { accountId, ...own, from, until: new Date(from.getTime() + dayMs) };
  const subject = scope === 'account' ? sql`${accountId}::text` : dimensionColumns[scope];
  const { rows } = await sql<{ subject: string; cost: number }>`
    select ${subject} as subject, sum(cost)::double precision as cost
    from ${usageRelation('days', selected, scope === 'account' ? [] : [scope])}
    where ${filteredCondition(selected)} and not own_key and ${subject} <> ''
    group by 1 having sum(cost) > ${above}::numeric order by 2 desc, 1 limit ${mostFindings}`.execute(database.kysely);
  const ids = scope === 'account' ? [] : rows.map((row) => row.subject);
  const nameOf = await subjectNames(database, accountId, { kind: scope === 'project' ? 'project' : 'key', ids });
  return {
    findings: rows.map(({ subject: found, cost }) => ({
      subject: found,
      name: scope === 'account' ? accountName : nameOf(found),
      value: Number(cost.toPrecision(6)),
      met: true,
    })),
    absent: 'resolved',
  };
}
