import { GatewayError, type Role } from '@tallyport/contracts';
import { type Database, type Queries, type Row, sql } from '@tallyport/database';
import type { Invitation } from '@tallyport/management';
import { type AuditActor, hashToken, makeId, makeToken, recordAudit } from '@tallyport/management-server';
import { emailColumn } from '../users/users.ts';

interface NewInvitation {
  accountId: string;
  actor: AuditActor;
  email: string;
  role: Role;
}

const days = 7;
const most = 1_000;

export async function listInvitations({ kysely }: Database, accountId: string): Promise<Invitation[]> {
  const rows = await kysely
    .selectFrom('invitations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(invitationRecord);
}

/**
 * Creates an invitation and the path that accepts it, which cannot be read again. Replaces an earlier invitation for
 * the same e-mail address.
 */
export async function invite(
  transaction: Queries,
  { accountId, actor, email, role }: NewInvitation,
): Promise<{ invitation: Invitation; path: string }> {
  if (await isMember(transaction, accountId, email)) throw alreadyMember();
  const token = makeToken();
  const fresh = {
    id: makeId('invitation'),
    token_hash: hashToken(token),
    role,
    expires_at: sql<Date>`now() + make_interval(days => ${days}::int)`,
  };
  const row = await transaction
    .insertInto('invitations')
    .values({ ...fresh, account_id: accountId, email })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'email']).doUpdateSet({ ...fresh, created_at: sql<Date>`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  const detail = { email, role };
  await recordAudit(transaction, { accountId, actor, action: 'invitation.created', subject: row.id, detail });
  return { invitation: invitationRecord(row), path: `/invitations/${token}` };
}

export function withdrawInvitation(
  { kysely }: Database,
  { accountId, actor, id }: { accountId: string; actor: AuditActor; id: string },
): Promise<void> {
  return kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('invitations')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning('email')
      .executeTakeFirst();
    if (row === undefined) throw noSuchInvitation();
    const { email } = row;
    await recordAudit(transaction, {
      accountId,
      actor,
      action: 'invitation.withdrawn',
      subject: id,
      detail: { email },
    });
  });
}

async function isMember(queries: Queries, accountId: string, email: string): Promise<boolean> {
  const row = await queries
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('memberships.account_id', '=', accountId)
    .where(emailColumn, '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

const invitationRecord = (row: Row<'invitations'>): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});

const alreadyMember = (): GatewayError =>
  new GatewayError('conflict', 'This person is already a member of the account.', { param: 'email' });

const noSuchInvitation = (): GatewayError =>
  new GatewayError('not_found', 'This invitation does not exist. List pending invitations: GET /api/v1/invitations');
