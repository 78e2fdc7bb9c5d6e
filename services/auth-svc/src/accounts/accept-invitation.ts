import { GatewayError, type Role } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';
import { hashToken, orUnavailable, recordAudit, type SessionToken } from '@tallyport/management-server';
import { endGrantsOf } from '../oauth/management/grants.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { enrol, type EnrolTools } from '../enrolment/enrol.ts';
import { endPasswordLink } from '../users/end-password-link.ts';

/** The details that an invitation page shows. */
export interface OpenInvitation {
  accountName: string;
  email: string;
  role: Role;
}

interface Acceptance {
  token: string;
  /** A new user's chosen password, or an existing user's current one. */
  password: string;
  address: string;
  /** The person states that they have a password here already, so a wrong one adds no user. */
  hasPassword?: boolean;
}

export interface Invitations {
  /** `undefined` if the link is unknown, used, withdrawn or expired. */
  find(link: { token: string; address: string }): Promise<OpenInvitation | undefined>;
  /** Adds the person to the account and signs them in. With concurrent calls for one link, exactly one succeeds. */
  accept(acceptance: Acceptance): Promise<SessionToken>;
}

export function createInvitations(tools: EnrolTools & { sessions: Sessions }): Invitations {
  const { database, attempts, sessions } = tools;
  const { kysely } = database;
  return {
    find: orUnavailable(async ({ token, address }) => {
      await attempts.count('link_address', address);
      const invitation = await findInvitation(kysely, token);
      if (invitation === undefined) return undefined;
      const { accountName, email, role } = invitation;
      return { accountName, email, role };
    }),
    accept: orUnavailable(async ({ token, password, address, hasPassword = false }) => {
      await attempts.count('link_address', address);
      const invitation = await findInvitation(kysely, token);
      if (invitation === undefined) throw spent();
      const userIn = await enrol(tools, {
        email: invitation.email,
        password,
        address,
        person: hasPassword ? 'known' : 'new',
      });
      const userId = await kysely.transaction().execute(async (transaction) => {
        const used = await transaction
          .deleteFrom('invitations')
          .where('token_hash', '=', hashToken(token))
          .returningAll()
          .executeTakeFirst();
        if (used === undefined) throw spent();
        const id = await userIn(transaction);
        await join(transaction, { accountId: used.account_id, userId: id, role: used.role });
        return id;
      });
      return sessions.begin(userId);
    }),
  };
}

/** An existing member keeps their role. */
async function join(
  transaction: Queries,
  { accountId, userId, role }: { accountId: string; userId: string; role: Role },
): Promise<void> {
  const joined = await transaction
    .insertInto('memberships')
    .values({ account_id: accountId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  await endPasswordLink(transaction, userId);
  const actor = `user:${userId}` as const;
  // Removes a token that was issued concurrently with an earlier removal from the account.
  if (joined) await endGrantsOf(transaction, { accountId, userId, actor });
  await recordAudit(transaction, { accountId, actor, action: 'member.joined', subject: userId, detail: { role } });
}

async function findInvitation(queries: Queries, token: string) {
  return queries
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.account_id')
    .select(['accounts.name as accountName', 'invitations.email', 'invitations.role'])
    .where('invitations.token_hash', '=', hashToken(token))
    .where('invitations.expires_at', '>', sql<Date>`now()`)
    .where('accounts.suspended_at', 'is', null)
    .executeTakeFirst();
}

const spent = (): GatewayError =>
  new GatewayError('not_found', 'This link was used or withdrawn, or it has expired. Ask for a new invitation.');
