import { type Queries, sql } from '@tallyport/database';
import { defaultAccountId } from '@tallyport/contracts';

/** The account of the demo if the first account has usage of its own. */
export const demoAccountId = 'account_demo';

/** Makes the owners of the installation owners of the demo's own account, if it exists. */
export async function openDemoToOwners(transaction: Queries): Promise<void> {
  await sql`insert into memberships (account_id, user_id, role)
    select accounts.id, memberships.user_id, 'owner' from memberships, accounts
    where memberships.account_id = ${defaultAccountId} and memberships.role = 'owner' and accounts.id = ${demoAccountId}
    on conflict do nothing`.execute(transaction);
}
