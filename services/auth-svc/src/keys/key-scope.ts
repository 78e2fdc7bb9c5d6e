import { GatewayError } from '@tallyport/contracts';
import { type RawBuilder, sql } from '@tallyport/database';
import { hasRole } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';

/** The keys an operation covers: all of an account, or those that one member manages. */
export interface KeyScope {
  accountId: string;
  userId?: string | undefined;
}

/** The same error for a key of another scope and one that does not exist. */
export const noSuchKey = (): GatewayError =>
  new GatewayError('not_found', 'This key does not exist. List your keys: GET /api/v1/keys');

/** The condition for keys of a scope. Members also manage the keys of projects whose admin they are. */
export const inScope = ({ accountId, userId }: KeyScope): RawBuilder<boolean> =>
  userId === undefined
    ? sql`account_id = ${accountId}`
    : sql`(account_id = ${accountId} and (user_id = ${userId} or project_id in (
        select project_id from project_members where user_id = ${userId} and role = 'admin')))`;

/** Admins manage all keys of the account, members those that they created. */
export const scopeOf = (caller: ApiCaller): KeyScope =>
  hasRole(caller, 'admin')
    ? { accountId: caller.accountId }
    : { accountId: caller.accountId, userId: caller.userId ?? '' };
