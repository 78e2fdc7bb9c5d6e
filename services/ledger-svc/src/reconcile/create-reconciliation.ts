import { GatewayError, type Reconciliation, reconciliationSchema } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { checkAccess, type NewReconciliation, type StoredReconciliation } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import { costReports } from '@tallyport/providers/cost-reports';
import { type Bill, compareVendor, type ComparisonLimits, resultToKeep } from './compare-vendor.ts';
import type { ComparisonTurns } from './comparison-turns.ts';
import { keepReconciliation, readReconciliation } from './keep-reconciliation.ts';
import { checkedDays, readVendorUsage } from './read-vendor-usage.ts';

export interface ReconciliationTools {
  database: Database;
  turns: ComparisonTurns;
  /** The configured address of a vendor. */
  baseUrlOf(keyVariable: string): string | undefined;
  limits?: ComparisonLimits;
}

/** A caller waits for the result, and other requests for the process. */
const usualLimits: ComparisonLimits = { deadlineMs: 18_000, mostItems: 20_000 };

/** After the deadline of the report: the caller waits 25 seconds. */
const readingMs = 4_000;

/** Compares what an account paid itself, or for operators the usage of the installation's keys, with a bill. */
export async function createReconciliation(
  { database, turns, baseUrlOf, limits = usualLimits }: ReconciliationTools,
  caller: ApiCaller,
  { vendor, from, to, scope, map, ...input }: NewReconciliation,
): Promise<StoredReconciliation> {
  if (scope === 'installation') checkAccess(caller, 'operator');
  const period = { from, to };
  checkedDays(period);
  const bill = findBill(vendor, input, baseUrlOf);
  const accountId = scope === 'account' ? caller.accountId : undefined;
  const { id } = await turns(caller.accountId, async () => {
    const reading = { most: limits.mostItems, signal: AbortSignal.timeout(limits.deadlineMs + readingMs) };
    const result = await compareVendor({ vendor, period, accountId, map, bill, limits }, (query) =>
      readVendorUsage(database, query, reading),
    );
    return keepReconciliation(database, { accountId, result: storable(resultToKeep(result)), caller });
  });
  return readReconciliation(database, { id, ...caller });
}

function findBill(
  vendor: string,
  { adminKey, csv }: Pick<NewReconciliation, 'adminKey' | 'csv'>,
  baseUrlOf: ReconciliationTools['baseUrlOf'],
): Bill {
  if (adminKey !== undefined && csv !== undefined) throw problem('csv', 'Send either adminKey or csv, not both.');
  if (csv !== undefined) return { kind: 'csv', text: csv };
  const report = costReports.get(vendor);
  if (report === undefined) throw problem('csv', `No report of ${vendor} can be read. Send its bill as csv.`);
  if (adminKey === undefined) throw problem('adminKey', `The report of ${report.name} needs ${report.keyName}.`);
  return { kind: 'report', report, adminKey, baseUrl: baseUrlOf(report.keyVariable) };
}

const problem = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param });

/** Bills have names and amounts of any length. */
function storable(result: Reconciliation): Reconciliation {
  const checked = reconciliationSchema.safeParse(result);
  if (checked.success) return checked.data;
  throw new GatewayError(
    'invalid_parameters',
    'The bill has a name or an amount that is too long. Check its columns and the map.',
    { cause: checked.error },
  );
}
