import { GatewayError } from '@tallyport/contracts';
import type { Database, Queries } from '@tallyport/database';
import type { ProjectMember, ProjectRole } from '@tallyport/management';
import { type AuditActor, recordAudit } from '@tallyport/management-server';
import { lockAccount } from '../database/lock-account.ts';
import { disownKeys, revokeKeysOf } from '../keys/revoke-key.ts';
import { emailColumn } from '../users/users.ts';

interface ProjectMembership {
  projectId: string;
  accountId: string;
  userId: string;
  actor: AuditActor;
  /** The identity provider whose claims decide about it from now on; absent for a change by hand. */
  provider?: string;
}

/** At most this many members of an account belong to a project. */
export const maxProjectMembers = 1_000;

export async function listProjectMembers(
  queries: Queries,
  { projectId, userId }: { projectId: string; userId?: string },
): Promise<ProjectMember[]> {
  const rows = await queries
    .selectFrom('project_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['member.user_id', emailColumn.as('email'), 'member.role', 'member.created_at'])
    .where('member.project_id', '=', projectId)
    .$if(userId !== undefined, (query) => query.where('member.user_id', '=', userId ?? ''))
    .orderBy('member.created_at')
    .orderBy('member.user_id')
    .execute();
  return rows.map(({ user_id, email, role, created_at }) => ({
    userId: user_id,
    email,
    role,
    addedAt: created_at.toISOString(),
  }));
}

/** Adds a member of the account, or changes their role. The project must be of the account. */
export async function setProjectMember(
  transaction: Queries,
  { projectId, accountId, userId, actor, provider }: ProjectMembership,
  role: ProjectRole,
): Promise<ProjectMember> {
  await lockAccount(transaction, accountId);
  await checkIsInAccount(transaction, { accountId, userId });
  const [before] = await listProjectMembers(transaction, { projectId, userId });
  if (before === undefined) await checkRoom(transaction, projectId);
  await transaction
    .insertInto('project_members')
    .values({
      project_id: projectId,
      account_id: accountId,
      user_id: userId,
      role,
      identity_provider: provider ?? null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'user_id'])
        .doUpdateSet({ role, ...(provider !== undefined && { identity_provider: provider }) }),
    )
    .execute();
  const [member] = await listProjectMembers(transaction, { projectId, userId });
  if (member === undefined) throw noSuchMember();
  if (before?.role !== role) {
    const detail = { userId, role };
    await recordAudit(transaction, { accountId, actor, action: 'project.member_set', subject: projectId, detail });
  }
  return member;
}

/** Removes a member and revokes the keys they created in the project, or passes them to the account. Returns the hashes of the revoked keys. */
export function removeProjectMember(
  { kysely }: Database,
  membership: ProjectMembership,
  options: { keepKeys: boolean },
): Promise<string[]> {
  return kysely.transaction().execute((transaction) => endProjectMembership(transaction, membership, options));
}

/** Ends a membership in the caller's transaction. Returns the hashes of the revoked keys. */
export async function endProjectMembership(
  transaction: Queries,
  membership: ProjectMembership,
  { keepKeys }: { keepKeys: boolean },
): Promise<string[]> {
  const { projectId, accountId, userId, actor } = membership;
  const removed = await transaction
    .deleteFrom('project_members')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  if (removed === undefined) throw noSuchMember();
  const detail = { userId, keepKeys };
  await recordAudit(transaction, { accountId, actor, action: 'project.member_removed', subject: projectId, detail });
  if (!keepKeys) return revokeKeysOf(transaction, membership);
  await disownKeys(transaction, membership);
  return [];
}

async function checkIsInAccount(
  transaction: Queries,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> {
  const places = transaction.selectFrom('memberships').select('user_id').where('account_id', '=', accountId);
  if (await places.where('user_id', '=', userId).executeTakeFirst()) return;
  throw new GatewayError('not_found', 'This person is not a member of the account. Invite them to the account first.', {
    param: 'userId',
  });
}

/** Whether another member may be added. */
export async function hasRoom(transaction: Queries, projectId: string): Promise<boolean> {
  const members = transaction.selectFrom('project_members').select('user_id').where('project_id', '=', projectId);
  return (await members.limit(maxProjectMembers).execute()).length < maxProjectMembers;
}

async function checkRoom(transaction: Queries, projectId: string): Promise<void> {
  if (await hasRoom(transaction, projectId)) return;
  throw new GatewayError('conflict', `A project can have at most ${maxProjectMembers} members. Remove one first.`);
}

const noSuchMember = (): GatewayError =>
  new GatewayError('not_found', 'This person does not belong to the project. List its members first.', {
    param: 'userId',
  });
