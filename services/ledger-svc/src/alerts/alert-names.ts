import { GatewayError } from '@tallyport/contracts';
import type { Queries } from '@tallyport/database';

interface NamedAlert {
  id: string;
  name: string;
}

/** The names of an account's alerts. Locks the account, so that they do not change during the transaction. */
export async function lockAlertNames(transaction: Queries, accountId: string): Promise<NamedAlert[]> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  return transaction.selectFrom('alerts').select(['id', 'name']).where('account_id', '=', accountId).execute();
}

/** Throws `conflict` if another alert has this name. */
export function checkAlertName(alerts: readonly NamedAlert[], { id, name }: NamedAlert): void {
  if (!alerts.some((alert) => alert.name === name && alert.id !== id)) return;
  throw new GatewayError('conflict', `This account already has an alert named ${name}. Choose another name.`, {
    param: 'name',
  });
}
