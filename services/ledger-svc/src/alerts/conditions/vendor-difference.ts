import type { Database } from '@tallyport/database';
import { defaultAccountId } from '@tallyport/contracts';
import type { ConditionOf } from '@tallyport/management';
import { newestRatios } from '../../reconcile/keep-reconciliation.ts';
import type { AlertFindings } from './finding.ts';

/** The newest result of each vendor counts. Those of the installation concern the account of its operators. */
export async function findVendorDifferences(
  database: Database,
  { accountId }: { accountId: string },
  { vendor, above }: ConditionOf<'vendor_difference'>,
): Promise<AlertFindings> {
  const own = await newestRatios(database, { accountId });
  const all = accountId === defaultAccountId ? [...own, ...(await newestRatios(database, {}))] : own;
  const largest = new Map<string, number>();
  for (const each of all) largest.set(each.vendor, Math.max(each.ratio, largest.get(each.vendor) ?? 0));
  const wanted = [...largest].filter(([id]) => vendor === undefined || id === vendor);
  return {
    findings: wanted.map(([subject, ratio]) => {
      const value = Math.round(ratio * 10_000) / 100;
      return { subject, name: subject, value, met: ratio * 100 > above };
    }),
    absent: 'unknown',
  };
}
