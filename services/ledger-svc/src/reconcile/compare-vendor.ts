import {
  GatewayError,
  mostComparedBytes,
  mostComparedRows,
  type Reconciliation,
  type VendorUsage,
  type VendorUsageQuery,
} from '@tallyport/contracts';
import type { VendorMap } from '@tallyport/management';
import type { CostReport, ReportPeriod } from '@tallyport/providers/cost-reports';
import type { ReportToCompare } from './compare/build-cells.ts';
import { type ComparedRow, type Comparison, compareWithBill } from './compare/compare.ts';
import { readCsvReport } from './csv-report.ts';
import { readReport, type ReportLimits } from './read-report.ts';

/** What a vendor billed. The admin key is used to read this report only. */
export type Bill =
  | { kind: 'csv'; text: string }
  | { kind: 'report'; report: CostReport; adminKey: string; baseUrl: string | undefined };

interface VendorComparison {
  /** The id of the provider. */
  vendor: string;
  period: ReportPeriod;
  /** The account whose own provider keys are compared; absent for the installation's keys. */
  accountId: string | undefined;
  map: VendorMap;
  bill: Bill;
  /** Bounds of a comparison in a service, which has other work. */
  limits?: ComparisonLimits;
}

export interface ComparisonLimits extends Pick<ReportLimits, 'deadlineMs'> {
  /** Lines and counts of the bill, and what the ledger has of the same days. */
  mostItems: number;
}

/** The whole result for one vendor. */
export interface VendorComparisonResult extends Comparison {
  vendor: string;
  from: string;
  to: string;
}

/** Reads the bill of a vendor and compares it with the usage that the ledger has, in this process or over the bus. */
export async function compareVendor(
  comparison: VendorComparison,
  usageOfVendor: (query: VendorUsageQuery) => Promise<VendorUsage>,
): Promise<VendorComparisonResult> {
  const { vendor, period, accountId, map, limits } = comparison;
  const report = await readBill(comparison);
  const own = await usageOfVendor({ provider: vendor, ...period, accountId });
  if (limits !== undefined) checkSize(report, own, limits);
  return { vendor, ...period, ...compareWithBill({ period, report, own, names: map }) };
}

async function readBill({ bill, map, period, limits }: VendorComparison): Promise<ReportToCompare> {
  if (bill.kind === 'csv') return readCsvReport(bill.text, map, period);
  const { kind: _kind, ...source } = bill;
  return readReport(
    { ...source, period },
    limits === undefined ? {} : { deadlineMs: limits.deadlineMs, mostLines: limits.mostItems },
  );
}

function checkSize({ lines, uses }: ReportToCompare, own: VendorUsage, { mostItems }: ComparisonLimits): void {
  if (lines.length + uses.length + own.uses.length + own.days.length <= mostItems) return;
  throw new GatewayError(
    'invalid_parameters',
    'The bill and the ledger have too much to compare at once. Choose fewer days, or use npm run reconcile.',
    { param: 'from' },
  );
}

/** A result with the rows that differ most. */
export const resultToKeep = ({ rows, ...result }: VendorComparisonResult): Reconciliation => ({
  ...result,
  rows: largestRows(rows),
});

/** Those that differ most, in their order, as far as they fit into one message. */
function largestRows(rows: readonly ComparedRow[]): ComparedRow[] {
  const size = ({ difference }: ComparedRow): number => Math.abs(Number(difference));
  const different = rows.filter(({ difference }) => difference !== '0');
  const kept = new Set<ComparedRow>();
  let bytes = 0;
  for (const row of different.toSorted((one, other) => size(other) - size(one)).slice(0, mostComparedRows)) {
    bytes += Buffer.byteLength(JSON.stringify(row));
    if (bytes > mostComparedBytes) break;
    kept.add(row);
  }
  return different.filter((row) => kept.has(row));
}
