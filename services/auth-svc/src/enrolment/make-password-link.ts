import { type Queries, sql } from '@tallyport/database';
import { type AuditActor, hashToken, makeToken, recordAudit } from '@tallyport/management-server';

interface NewPasswordLink {
  userId: string;
  /** The account whose audit log records the link and its use. */
  accountId: string;
  actor: AuditActor;
}

export interface MadePasswordLink {
  /** Only returned here; it cannot be read again. */
  path: string;
  expiresAt: Date;
}

const hours = 24;

/** Creates a link with which a user can choose a new password, once. Replaces an earlier link. */
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
