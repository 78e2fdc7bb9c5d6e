import { randomHex } from '@tallyport/contracts';
import type { Queries } from '@tallyport/database';

/**
 * A version is never used again: a service that asked for an old one and was sent newer routes keeps them under the old
 * version, which must not name other routes later. Lock the account before.
 */
export async function newRoutesVersion(transaction: Queries, accountId: string): Promise<void> {
  const routes = transaction.selectFrom('routes').select('name').where('account_id', '=', accountId).limit(1);
  const version = (await routes.executeTakeFirst()) === undefined ? null : randomHex();
  await transaction.updateTable('accounts').set({ routes_version: version }).where('id', '=', accountId).execute();
}
