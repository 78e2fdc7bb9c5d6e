import { alertOperations } from './alerts/alert-operations.ts';
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

/** What ledger-svc answers. auth-svc answers all other operations. */
const ledgerOperations: ApiOperations = {
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
};

/** Whether ledger-svc answers the operation with this name. */
export const isOfLedger = (name: string): boolean => Object.hasOwn(ledgerOperations, name);

/** The paths below `/api/v1` whose requests ledger-svc answers, in the notation of `ApiOperation.path`. */
export const ledgerPaths: readonly string[] = [...new Set(Object.values(ledgerOperations).map(({ path }) => path))];

/** The largest body that an operation at one of these paths accepts; undefined for the usual size. */
export const ledgerBodyBytes = (path: string): number | undefined =>
  Object.values(ledgerOperations).find((operation) => operation.path === path && operation.maxBodyBytes !== undefined)
    ?.maxBodyBytes;

const patterns = ledgerPaths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'));

/** Whether ledger-svc answers requests to this path below `/api/v1`. */
export const isLedgerPath = (path: string): boolean => patterns.some((pattern) => pattern.test(path));
