import { clientOfKeyId, hasRole, userOfKeyId } from '@switchyard/management';
import { readEmails } from './read-emails.ts';
import type { DashboardRequest } from './route.ts';

/** Names for the key ids of usage and requests. */
export type KeyNames = (keyId: string) => string;

/**
 * Reads the names of keys and of OAuth clients that the user may see. Admins also see for whom a client acts, members
 * only see their own.
 */
export async function readKeyNames({ ask, caller }: Pick<DashboardRequest, 'ask' | 'caller'>): Promise<KeyNames> {
  const isAdmin = hasRole(caller, 'admin');
  const [{ keys }, { grants }, { clients }, emails] = await Promise.all([
    ask('listKeys'),
    ask('listOAuthGrants'),
    isAdmin ? ask('listOAuthClients') : { clients: [] },
    isAdmin ? readEmails(ask) : new Map<string, string>(),
  ]);
  const names = new Map([
    ...keys.map(({ id, name }) => [id, name] as const),
    ...grants.flatMap(({ clientId, clientName }) => (clientName ? [[clientId, clientName] as const] : [])),
    ...clients.map(({ id, name }) => [id, name] as const),
  ]);
  return (keyId) => {
    const client = clientOfKeyId(keyId);
    if (client === undefined) return names.get(keyId) ?? keyId;
    const name = names.get(client) ?? siteOf(client);
    const email = emails.get(userOfKeyId(keyId) ?? '');
    return email === undefined ? name : `${name} for ${email}`;
  };
}

/** An application may have the address of its description as its id. One that was deleted has no name. */
const siteOf = (clientId: string): string =>
  URL.canParse(clientId) ? new URL(clientId).hostname : 'Deleted application';
