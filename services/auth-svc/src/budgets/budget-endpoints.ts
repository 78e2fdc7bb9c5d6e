import type { Database } from '@switchyard/database';
import { budgetOperations as operations, hasRole } from '@switchyard/management';
import { type ApiEndpoint, endpoint } from '../api/operation.ts';
import { readBudgets } from './read-budgets.ts';

export const budgetEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.listBudgets, async ({ search, limit, cursor }, caller) => {
    const { accountId } = caller;
    const now = new Date();
    const isFirstPage = search === undefined && cursor === undefined;
    const ofAccount = isFirstPage ? await readBudgets(database, { accountId, scope: 'account', limit: 1 }, now) : [];
    const userId = hasRole(caller, 'admin') ? undefined : (caller.userId ?? '');
    const keys = { accountId, scope: 'key', userId, search, cursor, limit: limit + 1 } as const;
    const ofKeys = await readBudgets(database, keys, now);
    const page = ofKeys.slice(0, limit);
    const last = page.at(-1);
    return { budgets: [...ofAccount, ...page], ...(ofKeys.length > limit && last && { nextCursor: last.id }) };
  }),
];
