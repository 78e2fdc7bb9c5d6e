import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { checkAccess, hasRole, memberOperations as operations } from '@tallyport/management';
import { type ApiCaller, type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import { createMemberPasswordLink } from './member-password-link.ts';
import { listMemberPage } from './list-member-page.ts';
import { changeRole, type MemberChange, removeMember } from './members.ts';

interface MemberEndpointTools {
  database: Database;
  announce: Announce;
  publicUrl(): string;
}

export function memberEndpoints({ database, announce, publicUrl }: MemberEndpointTools): ApiEndpoint[] {
  return [
    endpoint(operations.listMembers, (query, { accountId }) => listMemberPage(database, accountId, query)),
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
      if (userId === caller.userId) throw notForSelf();
      const request = { ...changeBy(caller, userId), byOperator: caller.operator };
      const { email, path, expiresAt } = await createMemberPasswordLink(database, request);
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

/** An open session is not enough to choose a new password without the current one. */
const notForSelf = (): GatewayError =>
  new GatewayError('conflict', 'To change your own password, use POST /api/v1/password with the current one.', {
    param: 'userId',
  });
