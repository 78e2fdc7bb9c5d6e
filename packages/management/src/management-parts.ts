import { alertOperations } from './alerts/alert-operations.ts';
import { accountBatchOperations } from './batches/account-batch-operations.ts';
import { budgetOperations } from './budgets/budget-operations.ts';
import { contentOperations } from './contents/content-operations.ts';
import { endUserOperations } from './end-users/end-user-operations.ts';
import type { ApiOperations } from './operation.ts';
import { providerOperations } from './providers/provider-operations.ts';
import { reconciliationOperations } from './reconciliations/reconciliation-operations.ts';
import { requestOperations } from './requests/request-operations.ts';
import { routeUsageOperations } from './routes/route-usage-operations.ts';
import { analyticsOperations } from './usage/analytics-operations.ts';
import { usageOperations } from './usage/usage-operations.ts';

/** The part of the management API that a service answers. auth-svc answers what is in no part. */
export interface ManagementPart {
  /** Whether the operation with this name is in it. */
  has(name: string): boolean;
  /** Its paths below `/api/v1`, in the notation of `ApiOperation.path`. */
  readonly paths: readonly string[];
  /** Whether it answers requests to this path below `/api/v1`. */
  matches(path: string): boolean;
  /** The largest body that an operation at one of its paths accepts; undefined for the usual size. */
  bodyBytes(path: string): number | undefined;
}

function partOf(operations: ApiOperations): ManagementPart {
  const all = Object.values(operations);
  const paths = [...new Set(all.map(({ path }) => path))];
  const patterns = paths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'));
  return {
    has: (name) => Object.hasOwn(operations, name),
    paths,
    matches: (path) => patterns.some((pattern) => pattern.test(path)),
    bodyBytes: (path) =>
      all.find((operation) => operation.path === path && operation.maxBodyBytes !== undefined)?.maxBodyBytes,
  };
}

/** What batch-svc answers. */
export const batchPart = partOf(accountBatchOperations);

/** What ledger-svc answers. */
export const ledgerPart = partOf({
  ...alertOperations,
  ...analyticsOperations,
  ...budgetOperations,
  ...contentOperations,
  ...endUserOperations,
  ...providerOperations,
  ...reconciliationOperations,
  ...requestOperations,
  ...routeUsageOperations,
  ...usageOperations,
});
