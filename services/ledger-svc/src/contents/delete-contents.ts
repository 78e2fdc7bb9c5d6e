import type { Database } from '@tallyport/database';
import { type ApiCaller, recordAudit } from '@tallyport/management-server';

/** Deletes all contents of the caller's account and returns their number. */
export function deleteContents({ kysely }: Database, { accountId, actor }: ApiCaller): Promise<number> {
  return kysely.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('request_contents')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    const count = Number(numDeletedRows);
    await recordAudit(transaction, {
      accountId,
      actor,
      action: 'content.deleted',
      subject: accountId,
      detail: { count },
    });
    return count;
  });
}
