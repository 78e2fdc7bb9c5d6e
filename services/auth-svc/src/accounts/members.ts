import { GatewayError } from '@switchyard/contracts';
import type { Database, MemberRole, Queries } from '@switchyard/database';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import { mayMakeAdminKeys } from '../keys/admin-keys.ts';
import { disownKeys, revokeKeysOf } from '../keys/revoke-key.ts';
import { endGrantsOf } from '../oauth/management/grants.ts';
import { endPasswordLink } from '../users/make-password-link.ts';
import type { Member } from './member-operations.ts';

/** Who changes whom. */
export interface MemberChange {
  accountId: string;
  actor: AuditActor;
  /** Of whoever changes it: only owners make owners, or unmake them. */
  byOwner: boolean;
  userId: string;
}

const most = 10_000;

export async function listMembers(queries: Queries, accountId: string, userId?: string): Promise<Member[]> {
  const rows = await queries
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.email', 'memberships.role', 'memberships.created_at'])
    .where('memberships.account_id', '=', accountId)
    .$if(userId !== undefined, (query) => query.where('users.id', '=', userId ?? ''))
    .orderBy('memberships.created_at')
    .orderBy('users.id')
    .limit(most)
    .execute();
  return rows.map(({ id, email, role, created_at }) => ({
    userId: id,
    email,
    role,
    joinedAt: created_at.toISOString(),
  }));
}

export interface RoleChange {
  member: Member;
  /** The hashes of the keys that ended with it. */
  hashes: string[];
}

/** Admin keys somebody made end with the role that let them. */
export function changeRole({ kysely }: Database, change: MemberChange, role: MemberRole): Promise<RoleChange> {
  return kysely.transaction().execute(async (transaction) => {
    const { accountId, actor, userId, byOwner } = change;
    const before = await lockMember(transaction, change);
    if (role === 'owner' && !byOwner) throw onlyOwners();
    if (before.role === 'owner' && role !== 'owner') await keepOneOwner(transaction, accountId);
    await transaction
      .updateTable('memberships')
      .set({ role })
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .execute();
    const detail = { from: before.role, to: role };
    await recordAudit(transaction, { accountId, actor, action: 'member.role_changed', subject: userId, detail });
    await endPasswordLink(transaction, userId);
    const keepsAdminKeys = mayMakeAdminKeys({ accountId, role });
    const ended = keepsAdminKeys ? [] : await revokeKeysOf(transaction, { accountId, userId, actor, onlyAdmin: true });
    return { member: { ...before, role }, hashes: ended };
  });
}

/** Nothing of theirs stays but the keys an admin keeps, which are the account's then. The hashes of what ended with it. */
export function removeMember(
  { kysely }: Database,
  change: MemberChange,
  { keepKeys }: { keepKeys: boolean },
): Promise<string[]> {
  return kysely.transaction().execute(async (transaction) => {
    const { accountId, actor, userId } = change;
    const before = await lockMember(transaction, change);
    if (before.role === 'owner') await keepOneOwner(transaction, accountId);
    await transaction
      .deleteFrom('memberships')
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId)
      .execute();
    const detail = { role: before.role, keepKeys };
    await recordAudit(transaction, { accountId, actor, action: 'member.removed', subject: userId, detail });
    await endPasswordLink(transaction, userId);
    await endSessionsOfNobody(transaction, userId);
    const theirs = { accountId, userId, actor };
    const tokens = await endGrantsOf(transaction, theirs);
    const keys = await revokeKeysOf(transaction, { ...theirs, onlyAdmin: keepKeys });
    if (keepKeys) await disownKeys(transaction, theirs);
    return [...tokens, ...keys];
  });
}

/** Whoever still belongs somewhere stays signed in there. */
async function endSessionsOfNobody(transaction: Queries, userId: string): Promise<void> {
  const places = transaction.selectFrom('memberships').select('user_id').where('user_id', '=', userId);
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where((where) => where.not(where.exists(places)))
    .execute();
}

/** One change of an account's members at a time: two owners cannot each make the other the last one. */
export async function lockMember(transaction: Queries, { accountId, userId, byOwner }: MemberChange): Promise<Member> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  const [member] = await listMembers(transaction, accountId, userId);
  if (member === undefined) {
    throw new GatewayError('not_found', 'There is no such member. See who belongs to the account: GET /api/v1/members');
  }
  if (member.role === 'owner' && !byOwner) throw onlyOwners();
  return member;
}

async function keepOneOwner(transaction: Queries, accountId: string): Promise<void> {
  const owners = await transaction
    .selectFrom('memberships')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .limit(2)
    .execute();
  if (owners.length > 1) return;
  throw new GatewayError('conflict', 'An account keeps at least one owner: make somebody else an owner first.');
}

const onlyOwners = (): GatewayError =>
  new GatewayError('permission_denied', 'Only owners may make or change owners. Ask one of them.', { param: 'role' });
