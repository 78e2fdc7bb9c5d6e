import type { Database } from '@tallyport/database';
import type { RouteRecord } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { lockAccount } from '../database/lock-account.ts';
import { newRoutesVersion } from '../database/new-routes-version.ts';
import type { RouteOwner } from './route-owner.ts';
import { routeColumns, routeRecord } from './route-record.ts';

/** Resolves with `undefined` if the account has no such route. */
export function deleteRoute(
  { kysely }: Database,
  { accountId, actor }: RouteOwner,
  name: string,
): Promise<RouteRecord | undefined> {
  return kysely.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    const row = await transaction
      .deleteFrom('routes')
      .where('account_id', '=', accountId)
      .where('name', '=', name)
      .returning(routeColumns)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    await newRoutesVersion(transaction, accountId);
    await recordAudit(transaction, { accountId, actor, action: 'route.deleted', subject: name, detail: { name } });
    return routeRecord(row);
  });
}
