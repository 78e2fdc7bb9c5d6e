import type { Queries } from '@tallyport/database';
import { type AuditActor, recordAudit } from '@tallyport/management-server';

interface SessionEvent {
  userId: string;
  action: `session.${string}`;
  /** The identity provider that started the session. */
  provider?: string | undefined;
  /** Absent if the user did it. */
  actor?: AuditActor;
}

/** Records a sign-in or a sign-out in each account of the user. */
export async function recordSession(
  transaction: Queries,
  { userId, action, provider, actor }: SessionEvent,
): Promise<void> {
  const places = await transaction
    .selectFrom('memberships')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('account_id')
    .execute();
  for (const { account_id: accountId } of places) {
    await recordAudit(transaction, {
      accountId,
      actor: actor ?? `user:${userId}`,
      action,
      subject: userId,
      ...(provider !== undefined && { detail: { provider } }),
    });
  }
}
