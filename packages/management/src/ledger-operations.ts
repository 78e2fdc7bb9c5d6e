import { alertOperations } from './alerts/alert-operations.ts';
import { budgetOperations } from './budgets/budget-operations.ts';
import { contentOperations } from './contents/content-operations.ts';
import type { ApiOperation, ApiOperations } from './operation.ts';
import { providerOperations } from './providers/provider-operations.ts';
import { requestOperations } from './requests/request-operations.ts';
import { analyticsOperations } from './usage/analytics-operations.ts';
import { usageOperations } from './usage/usage-operations.ts';

/** What ledger-svc answers. auth-svc answers all other operations. */
const ledgerOperations: ApiOperations = {
  ...alertOperations,
  ...analyticsOperations,
  ...budgetOperations,
  ...contentOperations,
  ...providerOperations,
  ...requestOperations,
  ...usageOperations,
};

/** Whether ledger-svc answers the operation with this name. */
export const isOfLedger = (name: string): boolean => Object.hasOwn(ledgerOperations, name);

/** The paths below `/api/v1` whose requests ledger-svc answers, in the notation of `ApiOperation.path`. */
export const ledgerPaths: readonly string[] = [
  ...new Set(Object.values(ledgerOperations).map(({ path }: ApiOperation) => path)),
];

const patterns = ledgerPaths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'));

/** Whether ledger-svc answers requests to this path below `/api/v1`. */
export const isLedgerPath = (path: string): boolean => patterns.some((pattern) => pattern.test(path));
