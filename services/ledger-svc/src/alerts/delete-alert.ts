import type { AlertRecord } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { readAlerts } from './alert-record.ts';
import type { AlertOwner, AlertTools } from './tools.ts';

/** Deletes an alert and its secret, not its history. Resolves with `undefined` if the account has no such alert. */
export function deleteAlert(
  { database }: Pick<AlertTools, 'database'>,
  { accountId, actor }: AlertOwner,
  id: string,
): Promise<AlertRecord | undefined> {
  return database.kysely.transaction().execute(async (transaction) => {
    const [record] = await readAlerts(transaction, accountId, id);
    const deleted = transaction.deleteFrom('alerts').where('id', '=', id).where('account_id', '=', accountId);
    const row = await deleted.returning('name').executeTakeFirst();
    if (row === undefined || record === undefined) return undefined;
    await transaction.deleteFrom('secrets').where('id', '=', id).execute();
    const detail = { name: row.name };
    await recordAudit(transaction, { accountId, actor, action: 'alert.deleted', subject: id, detail });
    return { ...record, firing: [] };
  });
}
