import type { Database } from '@tallyport/database';
import type { ConditionOf } from '@tallyport/management';
import { readBudgets } from '../../budgets/read-budgets.ts';
import { type AlertFindings, mostFindings } from './finding.ts';

/** A budget is found once this part of it is spent; a new period resolves it. */
export async function findBudgets(
  database: Database,
  { accountId, now }: { accountId: string; now: Date },
  { scope, id, percent: spentPercent }: ConditionOf<'budget'>,
): Promise<AlertFindings> {
  const selection = { accountId, scope, id, spentPercent, limit: mostFindings };
  const budgets = await readBudgets(database, selection, now);
  return {
    findings: budgets.map(({ id: subject, name, spentPercent: value }) => ({ subject, name, value, met: true })),
    absent: 'resolved',
  };
}
