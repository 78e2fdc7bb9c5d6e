import type { Queries } from '@tallyport/database';

/**
 * Until the end of the transaction. Serialises changes that depend on others of the account: two owners could demote each
 * other at once, and two moves of provider keys could mix.
 */
export async function lockAccount(transaction: Queries, accountId: string): Promise<void> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}
