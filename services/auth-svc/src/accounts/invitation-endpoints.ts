import type { Database } from '@tallyport/database';
import { checkAccess, invitationOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, type Attempts, endpoint } from '@tallyport/management-server';
import { invite, listInvitations, withdrawInvitation } from './invitations.ts';

export interface InvitationEndpointTools {
  database: Database;
  attempts: Attempts;
  publicUrl(): string;
}

export function invitationEndpoints({ database, attempts, publicUrl }: InvitationEndpointTools): ApiEndpoint[] {
  return [
    endpoint(operations.listInvitations, async (_input, { accountId }) => ({
      invitations: await listInvitations(database, accountId),
    })),
    endpoint(operations.invite, async ({ email, role }, caller) => {
      if (role === 'owner') checkAccess(caller, 'owner');
      const { accountId, actor } = caller;
      await attempts.count('invite_account', accountId);
      const { invitation, path } = await database.kysely
        .transaction()
        .execute((transaction) => invite(transaction, { accountId, actor, email, role }));
      return { ...invitation, url: publicUrl() + path };
    }),
    endpoint(operations.withdrawInvitation, async ({ id }, { accountId, actor }) => {
      await withdrawInvitation(database, { accountId, actor, id });
      return { withdrawn: true };
    }),
  ];
}
