import type { Database } from '@switchyard/database';
import { defaultAccountId } from '../accounts/account.ts';
import { makePasswordLink, type MadePasswordLink } from './make-password-link.ts';
import { findPassword } from './users.ts';

/** For whoever runs the installation and may sign in no more; `undefined` when nobody has this e-mail address. */
export function linkForEmail({ kysely }: Database, email: string): Promise<MadePasswordLink | undefined> {
  return kysely.transaction().execute(async (transaction) => {
    const user = await findPassword(transaction, email);
    return user && makePasswordLink(transaction, { userId: user.id, accountId: defaultAccountId, actor: 'operator' });
  });
}
