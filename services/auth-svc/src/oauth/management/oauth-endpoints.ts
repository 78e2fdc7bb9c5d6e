import type { Database } from '@tallyport/database';
import { hasRole, oauthOperations as operations } from '@tallyport/management';
import { type ApiCaller, type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Announce } from '../../bus/announce.ts';
import { createOAuthClient, deleteOAuthClient, listOAuthClients } from './clients.ts';
import { deleteGrant, type GrantScope, listGrants } from './grants.ts';

export interface OAuthEndpointTools {
  database: Database;
  announce: Pick<Announce, 'keysEnded'>;
}

export const oauthEndpoints = ({ database, announce }: OAuthEndpointTools): ApiEndpoint[] => [
  endpoint(operations.listOAuthClients, async (_input, { accountId }) => ({
    clients: await listOAuthClients(database, accountId),
  })),
  endpoint(operations.createOAuthClient, ({ name, redirectUris }, { accountId, actor }) =>
    createOAuthClient(database, { accountId, actor, name, redirectUris }),
  ),
  endpoint(operations.deleteOAuthClient, async ({ id }, { accountId, actor }) => {
    announce.keysEnded(await deleteOAuthClient(database, { accountId, actor, id }));
    return { deleted: true };
  }),
  endpoint(operations.listOAuthGrants, async (_input, caller) => ({
    grants: await listGrants(database, grantsOf(caller)),
  })),
  endpoint(operations.deleteOAuthGrant, async ({ id }, caller) => {
    announce.keysEnded(await deleteGrant(database, { id, actor: caller.actor, ...grantsOf(caller) }));
    return { deleted: true };
  }),
];

/** Admins see the grants of all users, members their own. */
const grantsOf = (caller: ApiCaller): GrantScope => ({
  accountId: caller.accountId,
  userId: hasRole(caller, 'admin') ? undefined : (caller.userId ?? ''),
});
