import { clientOfKeyId, hasRole } from '@switchyard/management';
import type { DashboardRequest } from './route.ts';

/** Names for the key ids of usage and requests. */
export type KeyNames = (keyId: string) => string;

/** Reads the names of keys and of OAuth clients that the user may see. */
export async function readKeyNames({ ask, caller }: Pick<DashboardRequest, 'ask' | 'caller'>): Promise<KeyNames> {
  const [{ keys }, { grants }, { clients }] = await Promise.all([
    ask('listKeys'),
    ask('listOAuthGrants'),
    hasRole(caller, 'admin') ? ask('listOAuthClients') : { clients: [] },
  ]);
  const names = new Map([
    ...keys.map(({ id, name }) => [id, name] as const),
    ...grants.map(({ clientId, clientName }) => [clientId, clientName ?? siteOf(clientId)] as const),
    ...clients.map(({ id, name }) => [id, name] as const),
  ]);
  return (keyId) => {
    const client = clientOfKeyId(keyId);
    if (client === undefined) return names.get(keyId) ?? keyId;
    return names.get(client) ?? siteOf(client);
  };
}

/** An application may have the address of its description as its id. */
const siteOf = (clientId: string): string =>
  URL.canParse(clientId) ? new URL(clientId).hostname : 'An application without access';
