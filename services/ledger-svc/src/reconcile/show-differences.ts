import type { Database } from '@tallyport/database';
import { type Kit, repeat } from '@tallyport/service-kit';
import { newestRatios } from './keep-reconciliation.ts';

const everyMs = 60_000;

interface DifferenceTools {
  database: Database;
  onFailed(error: unknown): void;
}

/** Shows the newest difference of each vendor of the installation, until the returned function is called. */
export function showDifferences(
  { metrics }: Pick<Kit, 'metrics'>,
  { database, onFailed }: DifferenceTools,
): () => void {
  const gauge = metrics.gauge({
    name: 'gateway_ledger_vendor_difference_ratio',
    help: "How much the ledger differs from the vendor's bill, as a part of it, by the newest npm run reconcile.",
    labels: { vendor: 'any' },
  });
  return repeat({ everyMs, onFailed }, async () => {
    for (const { vendor, ratio } of await newestRatios(database, {})) gauge.with({ vendor }).set(ratio);
  });
}
