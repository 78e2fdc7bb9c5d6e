import { GatewayError } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';

interface WantedName {
  accountId: string;
  name: string | undefined;
  /** The project that is renamed. */
  id?: string;
}

/** Documents name projects, so two of an account never have names that differ only in case. Lock the account before. */
export async function checkProjectName(transaction: Queries, { accountId, name, id = '' }: WantedName): Promise<void> {
  if (name === undefined) return;
  const other = await transaction
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (other === undefined) return;
  throw new GatewayError('conflict', 'The account has a project with this name. Choose another name.', {
    param: 'name',
  });
}
