import { GatewayError } from '@switchyard/contracts';
import { type CallOperation, clientOfKeyId, hasRole, userOfKeyId } from '@switchyard/management';
import { readEmails } from './read-emails.ts';
import type { DashboardRequest } from './route.ts';

/** Returns the name for a key id of usage or requests. */
export type KeyNames = (keyId: string) => string;

type Names = ReadonlyMap<string, string>;

const noNames: Names = new Map();

/**
 * Reads the names of the keys and OAuth clients with these key ids. Admins also see which user a client acts for, members only
 * see their own.
 */
export async function readKeyNames(
  { ask, caller }: Pick<DashboardRequest, 'ask' | 'caller'>,
  keyIds: Iterable<string>,
): Promise<KeyNames> {
  const ids = [...new Set(keyIds)];
  const keyIdsOfKeys = ids.filter((id) => clientOfKeyId(id) === undefined);
  const hasClients = keyIdsOfKeys.length < ids.length;
  const isAdmin = hasRole(caller, 'admin');
  const [keys, clients, emails] = await Promise.all([
    namesOfKeys(ask, keyIdsOfKeys),
    hasClients ? namesOfClients(ask, isAdmin) : noNames,
    hasClients && isAdmin ? readEmails(ask) : noNames,
  ]);
  return (keyId) => {
    const client = clientOfKeyId(keyId);
    if (client === undefined) return keys.get(keyId) ?? keyId;
    const name = clients.get(client) ?? siteOf(client);
    const email = emails.get(userOfKeyId(keyId) ?? '');
    return email === undefined ? name : `${name} for ${email}`;
  };
}

/** One by one, because an account may have thousands of keys and a page names few. */
async function namesOfKeys(ask: CallOperation, ids: readonly string[]): Promise<Names> {
  const names = await Promise.all(ids.map(async (id) => [id, await nameOfKey(ask, id)] as const));
  return new Map(names);
}

/** Keys of workloads have no record; their id says what they are. */
async function nameOfKey(ask: CallOperation, id: string): Promise<string> {
  try {
    return id === '' ? id : (await ask('readKey', { id })).name;
  } catch (error) {
    if (error instanceof GatewayError && error.status < 500) return id;
    throw error;
  }
}

async function namesOfClients(ask: CallOperation, isAdmin: boolean): Promise<Names> {
  const [{ grants }, { clients }] = await Promise.all([
    ask('listOAuthGrants'),
    isAdmin ? ask('listOAuthClients') : { clients: [] },
  ]);
  return new Map([
    ...grants.flatMap(({ clientId, clientName }) => (clientName ? [[clientId, clientName] as const] : [])),
    ...clients.map(({ id, name }) => [id, name] as const),
  ]);
}

/** An application may have the address of its description as its id. One that was deleted has no name. */
const siteOf = (clientId: string): string =>
  URL.canParse(clientId) ? new URL(clientId).hostname : 'Deleted application';
