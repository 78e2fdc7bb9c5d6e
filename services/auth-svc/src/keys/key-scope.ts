import { GatewayError } from '@switchyard/contracts';

/** Whose keys are spoken of: all of an account, or only those one of its members made. */
export interface KeyScope {
  accountId: string;
  userId?: string | undefined;
}

/** The same whether it is somebody else's or nobody's. */
export const noSuchKey = (): GatewayError =>
  new GatewayError('not_found', 'There is no such key. See those there are: GET /api/v1/keys');

/** For `where` of updates and look-ups alike: the columns that must hold these values. */
export const scopeColumns = ({ accountId, userId }: KeyScope): { account_id: string; user_id?: string } => ({
  account_id: accountId,
  ...(userId !== undefined && { user_id: userId }),
});
