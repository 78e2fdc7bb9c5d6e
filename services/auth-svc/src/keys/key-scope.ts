import { GatewayError } from '@switchyard/contracts';

/** The keys an operation covers: all of an account, or those that one member created. */
export interface KeyScope {
  accountId: string;
  userId?: string | undefined;
}

/** The same error for a key of another scope and one that does not exist. */
export const noSuchKey = (): GatewayError =>
  new GatewayError('not_found', 'This key does not exist. List your keys: GET /api/v1/keys');

/** The column values of a scope, for `where` clauses. */
export const scopeColumns = ({ accountId, userId }: KeyScope): { account_id: string; user_id?: string } => ({
  account_id: accountId,
  ...(userId !== undefined && { user_id: userId }),
});
