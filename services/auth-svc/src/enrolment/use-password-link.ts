import { GatewayError } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';
import { newPasswordSchema } from '@tallyport/management';
import { hashToken, orUnavailable, parseInput, recordAudit, type SessionToken } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { EnrolTools } from './enrol.ts';
import { type PasswordReplacement, replacePassword } from '../users/replace-password.ts';
import { hashNewPassword } from '../users/hash-new-password.ts';
import { emailColumn } from '../users/users.ts';

interface ChosenPassword {
  token: string;
  password: string;
  /** The client's address, as edge saw it. */
  address: string;
  /** Also ends the access of applications. */
  disconnectApplications: boolean;
}

export interface PasswordLinks {
  /** Finds the user of the link; `undefined` if it is unknown, used, replaced or expired. */
  find(link: { token: string; address: string }): Promise<{ email: string } | undefined>;
  /**
   * Sets the password, signs the user out everywhere, and signs them in here. With concurrent calls for one link,
   * exactly one succeeds.
   */
  use(chosen: ChosenPassword): Promise<SessionToken>;
}

interface PasswordLinkTools {
  sessions: Sessions;
  announce: Pick<Announce, 'keysEnded'>;
}

export function createPasswordLinks(tools: EnrolTools & PasswordLinkTools): PasswordLinks {
  const { database, passwords, attempts, sessions, announce } = tools;
  const { kysely } = database;
  return {
    find: orUnavailable(async ({ token, address }) => {
      await attempts.count('link_address', address);
      const link = await findLink(kysely, token);
      return link && { email: link.email };
    }),
    use: orUnavailable(async ({ token, password, address, disconnectApplications }) => {
      await attempts.count('link_address', address);
      const link = await findLink(kysely, token);
      if (link === undefined) throw spent();
      const chosen = parseInput(newPasswordSchema, password, 'The password');
      const passwordHash = await hashNewPassword(passwords, kysely, { userId: link.userId, password: chosen });
      const choice = { token, passwordHash, disconnectApplications };
      const { userId, ended } = await kysely.transaction().execute((transaction) => choose(transaction, choice));
      announce.keysEnded(ended);
      return sessions.begin(userId);
    }),
  };
}

async function choose(
  transaction: Queries,
  { token, ...replacement }: { token: string } & Omit<PasswordReplacement, 'userId'>,
): Promise<{ userId: string; ended: string[] }> {
  const used = await transaction
    .deleteFrom('password_links')
    .where('token_hash', '=', hashToken(token))
    .returning(['user_id', 'account_id'])
    .executeTakeFirst();
  if (used === undefined) throw spent();
  const { user_id: userId, account_id: accountId } = used;
  const ended = await replacePassword(transaction, { userId, ...replacement });
  const entry = { accountId, actor: `user:${userId}`, action: 'user.password_chosen', subject: userId } as const;
  await recordAudit(transaction, entry);
  return { userId, ended };
}

const findLink = (queries: Queries, token: string) =>
  queries
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .innerJoin('accounts', 'accounts.id', 'password_links.account_id')
    .select(['users.id as userId', emailColumn.as('email')])
    .where('password_links.token_hash', '=', hashToken(token))
    .where('password_links.expires_at', '>', sql<Date>`now()`)
    .where('accounts.suspended_at', 'is', null)
    .executeTakeFirst();

const spent = (): GatewayError =>
  new GatewayError('not_found', 'This link was used or replaced, or it has expired. Ask for a new one.');
