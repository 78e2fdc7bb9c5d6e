import type { Database } from '@tallyport/database';
import { budgetOperations as operations, hasRole } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { listBudgets } from './list-budgets.ts';
import { readBudgets } from './read-budgets.ts';

export const budgetEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.listBudgets, async (query, caller) => {
    const { accountId } = caller;
    const { spentPercent } = query;
    const now = new Date();
    const isFirstPage = query.search === undefined && query.cursor === undefined;
    const ofAccount = isFirstPage
      ? await readBudgets(database, { accountId, scope: 'account', spentPercent, limit: 1 }, now)
      : [];
    const userId = hasRole(caller, 'admin') ? undefined : (caller.userId ?? '');
    const { budgets, ...rest } = await listBudgets(database, { accountId, userId, ...query }, now);
    return { budgets: [...ofAccount, ...budgets], ...rest };
  }),
];
