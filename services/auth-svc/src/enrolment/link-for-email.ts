import { defaultAccountId, GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { makePasswordLink, type MadePasswordLink } from './make-password-link.ts';
import { findPasswords } from '../users/users.ts';

/** Creates a password link for an operator who cannot sign in; `undefined` if no user has this e-mail address. */
export function linkForEmail({ kysely }: Database, email: string): Promise<MadePasswordLink | undefined> {
  return kysely.transaction().execute(async (transaction) => {
    const [user, another] = await findPasswords(transaction, email);
    if (another) throw severalUsers();
    return user && makePasswordLink(transaction, { userId: user.id, accountId: defaultAccountId, actor: 'operator' });
  });
}

const severalUsers = (): GatewayError =>
  new GatewayError(
    'conflict',
    'Several users have this e-mail address. Create the link under Members, in the account of the user you mean.',
  );
