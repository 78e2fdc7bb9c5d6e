import { GatewayError, type Role } from '@tallyport/contracts';
import type { Database, Queries } from '@tallyport/database';
import { mayMakeAdminKeys, type Member } from '@tallyport/management';
import { type AuditActor, recordAudit } from '@tallyport/management-server';
import { disownKeys, revokeKeysOf } from '../keys/revoke-key.ts';
import { endGrantsOf } from '../oauth/management/grants.ts';
import { endPasswordLink } from '../users/end-password-link.ts';
import { lockAccount } from '../database/lock-account.ts';
import { memberColumns, memberRecord } from './member-record.ts';

/** A change of a member, and who makes it. */
export interface MemberChange {
  accountId: string;
  actor: AuditActor;
  /** Whether an owner makes the change: only owners can appoint or demote owners. */
  byOwner: boolean;
  userId: string;
}

async function findMember(queries: Queries, accountId: string, userId: string): Promise<Member | undefined> {
  const row = await queries
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(memberColumns)
    .where('memberships.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return row && memberRecord(row);
}

interface RoleChange {
  member: Member;
  /** The hashes of the keys that the change revoked. */
  hashes: string[];
}

/** Changes a member's role. Revokes the admin keys they created if the new role may not have any. */
export function changeRole({ kysely }: Database, change: MemberChange, role: Role): Promise<RoleChange> {
  return kysely.transaction().execute(async (transaction) => {
    const { accountId, actor, userId, byOwner } = change;
    const before = await lockMember(transaction, change);
    if (role === 'owner' && !byOwner) throw onlyOwners();
    if (before.role === 'owner' && role !== 'owner') await keepOneOwner(transaction, accountId);
    const hashes = await applyRole(transaction, { accountId, actor, userId }, { from: before.role, to: role });
    return { member: { ...before, role }, hashes };
  });
}

/** A membership, and who changes it. */
interface MembershipChange {
  accountId: string;
  userId: string;
  actor: AuditActor;
}

/** Stores a member's role. Revokes their admin keys if the role may not have any, and returns the hashes of the keys. */
export async function applyRole(
  transaction: Queries,
  change: MembershipChange,
  { from, to }: { from: Role; to: Role },
): Promise<string[]> {
  const { accountId, actor, userId } = change;
  await transaction
    .updateTable('memberships')
    .set({ role: to })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  const detail = { from, to };
  await recordAudit(transaction, { accountId, actor, action: 'member.role_changed', subject: userId, detail });
  await endPasswordLink(transaction, userId);
  if (mayMakeAdminKeys({ accountId, role: to })) return [];
  return revokeKeysOf(transaction, { accountId, userId, actor, onlyAdmin: true });
}

/**
 * Removes a member with their sessions, grants and keys. With `keepKeys`, their keys except admin keys pass to the
 * account. Returns the hashes of revoked tokens and keys.
 */
export function removeMember(
  { kysely }: Database,
  change: MemberChange,
  { keepKeys }: { keepKeys: boolean },
): Promise<string[]> {
  return kysely.transaction().execute(async (transaction) => {
    const { accountId, actor, userId } = change;
    const { role } = await lockMember(transaction, change);
    if (role === 'owner') await keepOneOwner(transaction, accountId);
    return endMembership(transaction, { accountId, actor, userId }, { role, keepKeys });
  });
}

/** Ends a membership and everything that depends on it. Returns the hashes of revoked tokens and keys. */
export async function endMembership(
  transaction: Queries,
  change: MembershipChange,
  { role, keepKeys }: { role: Role; keepKeys: boolean },
): Promise<string[]> {
  const { accountId, actor, userId } = change;
  await transaction
    .deleteFrom('memberships')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  const detail = { role, keepKeys };
  await recordAudit(transaction, { accountId, actor, action: 'member.removed', subject: userId, detail });
  await endPasswordLink(transaction, userId);
  await endSessionsIfNoMembership(transaction, userId);
  const tokens = await endGrantsOf(transaction, change);
  const keys = await revokeKeysOf(transaction, { ...change, onlyAdmin: keepKeys });
  if (keepKeys) await disownKeys(transaction, change);
  return [...tokens, ...keys];
}

/** A user who still belongs to another account stays signed in there. */
async function endSessionsIfNoMembership(transaction: Queries, userId: string): Promise<void> {
  const places = transaction.selectFrom('memberships').select('user_id').where('user_id', '=', userId);
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where((where) => where.not(where.exists(places)))
    .execute();
}

export async function lockMember(transaction: Queries, { accountId, userId, byOwner }: MemberChange): Promise<Member> {
  await lockAccount(transaction, accountId);
  const member = await findMember(transaction, accountId, userId);
  if (member === undefined) {
    throw new GatewayError('not_found', 'This member does not exist. List the members: GET /api/v1/members');
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
  throw new GatewayError('conflict', 'An account needs at least one owner. Make another member an owner first.');
}

const onlyOwners = (): GatewayError =>
  new GatewayError('permission_denied', 'Only owners can appoint or change owners. Ask one of them.', {
    param: 'role',
  });
