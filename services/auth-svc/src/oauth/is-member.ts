import type { Database } from '@tallyport/database';
import { parseSubject } from './token-subject.ts';

/** Whether this user still belongs to the account, and the account is not suspended. */
export async function isMember({ kysely }: Database, subject: string): Promise<boolean> {
  const member = parseSubject(subject);
  if (member === undefined) return false;
  const row = await kysely
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select('memberships.user_id')
    .where('memberships.user_id', '=', member.userId)
    .where('memberships.account_id', '=', member.accountId)
    .where('accounts.suspended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
