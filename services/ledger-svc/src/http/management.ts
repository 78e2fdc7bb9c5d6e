import type { Database } from '@tallyport/database';
import { aside, type AnyApiEndpoint } from '@tallyport/management-server';
import { alertEndpoints, type AlertEndpointTools } from '../alerts/alert-endpoints.ts';
import { budgetEndpoints } from '../budgets/budget-endpoints.ts';
import { contentEndpoints, type ContentEndpointTools } from '../contents/content-endpoints.ts';
import { endUserEndpoints } from '../end-users/end-user-endpoints.ts';
import { providerEndpoints } from '../provider-history/provider-endpoints.ts';
import type { ReconciliationTools } from '../reconcile/create-reconciliation.ts';
import { reconciliationEndpoints } from '../reconcile/reconciliation-endpoints.ts';
import { requestEndpoints } from '../requests/request-endpoints.ts';
import { routeUsageEndpoints } from '../route-usage/route-usage-endpoints.ts';
import { analyticsEndpoints } from '../usage/analytics-endpoints.ts';
import { usageEndpoints } from '../usage/usage-endpoints.ts';

export type LedgerEndpointTools = AlertEndpointTools &
  ContentEndpointTools & { database: Database; reconciling: Omit<ReconciliationTools, 'database'> };

/** The operations of the management API that the ledger answers, on the connections for reports. */
export function ledgerEndpoints({ database, alerts, reconciling, ...tools }: LedgerEndpointTools): AnyApiEndpoint[] {
  const reading = { database: aside(database) };
  return [
    ...alertEndpoints({ ...tools, alerts: { ...alerts, ...reading } }),
    ...analyticsEndpoints(reading),
    ...budgetEndpoints(reading),
    ...contentEndpoints({ ...tools, ...reading }),
    ...endUserEndpoints(reading),
    ...providerEndpoints(reading),
    ...reconciliationEndpoints({ ...reconciling, ...reading }),
    ...requestEndpoints(reading),
    ...routeUsageEndpoints(reading),
    ...usageEndpoints(reading),
  ];
}
