import { GatewayError } from '@switchyard/contracts';
import { type Queries, sql } from '@switchyard/database';
import { parseInput } from '../api/parse-input.ts';
import { recordAudit } from '../audit/audit.ts';
import { orUnavailable } from '../database/database-away.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { hashToken, type SessionToken } from '../sessions/token.ts';
import type { EnrolNeeds } from './enrol.ts';
import { newPasswordSchema } from './password-schema.ts';
import { replacePassword } from './replace-password.ts';

export interface ChosenPassword {
  token: string;
  password: string;
  /** The client's, as edge saw it. */
  address: string;
}

export interface PasswordLinks {
  /** Whose password it is; `undefined` when the link does not work (any more). */
  find(link: { token: string; address: string }): Promise<{ email: string } | undefined>;
  /** Signs them out everywhere and in here. Of all who try at once with one link, one succeeds. */
  use(chosen: ChosenPassword): Promise<SessionToken>;
}

export function createPasswordLinks(needs: EnrolNeeds & { sessions: Sessions }): PasswordLinks {
  const { database, passwords, attempts, sessions } = needs;
  const { kysely } = database;
  return {
    find: orUnavailable(async ({ token, address }) => {
      await attempts.count('link_address', address);
      return findLink(kysely, token);
    }),
    use: orUnavailable(async ({ token, password, address }) => {
      await attempts.count('link_address', address);
      if ((await findLink(kysely, token)) === undefined) throw spent();
      const passwordHash = await passwords.hash(parseInput(newPasswordSchema, password, 'The password'));
      const userId = await kysely.transaction().execute((transaction) => choose(transaction, { token, passwordHash }));
      return sessions.begin(userId);
    }),
  };
}

async function choose(
  transaction: Queries,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<string> {
  const used = await transaction
    .deleteFrom('password_links')
    .where('token_hash', '=', hashToken(token))
    .returning(['user_id', 'account_id'])
    .executeTakeFirst();
  if (used === undefined) throw spent();
  const { user_id: userId, account_id: accountId } = used;
  await replacePassword(transaction, { userId, passwordHash });
  const entry = { accountId, actor: `user:${userId}`, action: 'user.password_chosen', subject: userId } as const;
  await recordAudit(transaction, entry);
  return userId;
}

const findLink = (queries: Queries, token: string) =>
  queries
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .innerJoin('accounts', 'accounts.id', 'password_links.account_id')
    .select('users.email')
    .where('password_links.token_hash', '=', hashToken(token))
    .where('password_links.expires_at', '>', sql<Date>`now()`)
    .where('accounts.suspended_at', 'is', null)
    .executeTakeFirst();

const spent = (): GatewayError =>
  new GatewayError('not_found', 'This link has been used, has been replaced or is too old. Ask for a new one.');
