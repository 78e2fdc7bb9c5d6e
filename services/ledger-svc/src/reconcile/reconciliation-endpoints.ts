import { reconciliationOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { createReconciliation, type ReconciliationTools } from './create-reconciliation.ts';
import { listReconciliations, readReconciliation } from './keep-reconciliation.ts';

export function reconciliationEndpoints(tools: ReconciliationTools): ApiEndpoint[] {
  const { database } = tools;
  return [
    endpoint(operations.listReconciliations, async ({ limit }, { accountId, operator }) => ({
      reconciliations: await listReconciliations(database, { accountId, operator, limit }),
    })),
    endpoint(operations.createReconciliation, (input, caller) => createReconciliation(tools, caller, input)),
    endpoint(operations.readReconciliation, ({ id }, { accountId, operator }) =>
      readReconciliation(database, { id, accountId, operator }),
    ),
  ];
}
