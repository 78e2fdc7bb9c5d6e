import { type Queries, sql } from '@switchyard/database';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import { hashToken, makeToken } from '../sessions/token.ts';

export interface NewPasswordLink {
  userId: string;
  /** The account whose audit log records the link and its use. */
  accountId: string;
  actor: AuditActor;
}

export interface MadePasswordLink {
  /** Nobody can read it again. */
  path: string;
  expiresAt: Date;
}

const hours = 24;

/** A link with which somebody chooses a new password, once. It replaces one made before. */
export async function makePasswordLink(
  transaction: Queries,
  { userId, accountId, actor }: NewPasswordLink,
): Promise<MadePasswordLink> {
  const token = makeToken();
  const fresh = {
    token_hash: hashToken(token),
    account_id: accountId,
    expires_at: sql<Date>`now() + make_interval(hours => ${hours}::int)`,
  };
  const { expires_at: expiresAt } = await transaction
    .insertInto('password_links')
    .values({ ...fresh, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...fresh, created_at: sql<Date>`now()` }))
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  await recordAudit(transaction, { accountId, actor, action: 'user.password_link_created', subject: userId });
  return { path: `/passwords/${token}`, expiresAt };
}

/**
 * Ends the link of somebody who comes to an account, leaves it or gets another role there: whoever made it may have had the
 * right over what they were, and not over what they are now.
 */
export async function endPasswordLink(transaction: Queries, userId: string): Promise<void> {
  await transaction.deleteFrom('password_links').where('user_id', '=', userId).execute();
}
