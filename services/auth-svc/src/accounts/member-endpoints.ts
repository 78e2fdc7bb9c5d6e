import { GatewayError } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import type { Announce } from '../bus/announce.ts';
import { type ApiCaller, checkAccess, hasRole } from '../api/caller.ts';
import { type ApiEndpoint, endpoint } from '../api/operation.ts';
import { letChoosePassword } from './let-choose-password.ts';
import { changeRole, listMembers, type MemberChange, removeMember } from './members.ts';
import { memberOperations as operations } from './member-operations.ts';

export interface MemberEndpointTools {
  database: Database;
  announce: Announce;
  publicUrl(): string;
}

export function memberEndpoints({ database, announce, publicUrl }: MemberEndpointTools): ApiEndpoint[] {
  return [
    endpoint(operations.listMembers, async (_input, { accountId }) => ({
      members: await listMembers(database.kysely, accountId),
    })),
    endpoint(operations.changeMember, async ({ userId, role }, caller) => {
      const { member, hashes } = await changeRole(database, changeBy(caller, userId), role);
      announce.keysEnded(hashes);
      announce.accountChanged(caller.accountId);
      return member;
    }),
    endpoint(operations.removeMember, async ({ userId, keepKeys }, caller) => {
      if (userId !== caller.userId || keepKeys) checkAccess(caller, 'admin');
      const hashes = await removeMember(database, changeBy(caller, userId), { keepKeys });
      announce.keysEnded(hashes);
      announce.accountChanged(caller.accountId);
      return { removed: true };
    }),
    endpoint(operations.makePasswordLink, async ({ userId }, caller) => {
      if (userId === caller.userId) throw notOneself();
      const asked = { ...changeBy(caller, userId), byOperator: caller.operator };
      const { email, path, expiresAt } = await letChoosePassword(database, asked);
      return { userId, email, expiresAt: expiresAt.toISOString(), url: publicUrl() + path };
    }),
  ];
}

const changeBy = (caller: ApiCaller, userId: string): MemberChange => ({
  accountId: caller.accountId,
  actor: caller.actor,
  byOwner: hasRole(caller, 'owner'),
  userId,
});

/** A session that was left open does not do for a new password. */
const notOneself = (): GatewayError =>
  new GatewayError('conflict', 'Change your own password with the one you have: POST /api/v1/password', {
    param: 'userId',
  });
