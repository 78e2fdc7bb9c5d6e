import { type CallOperation, clientOfKeyId, hasRole, userOfKeyId } from '@tallyport/management';
import { readEmails } from './read-emails.ts';
import type { DashboardRequest } from './route.ts';

/** Returns the name for a key id of usage or requests. */
type KeyNames = (keyId: string) => string;

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

/** As many ids as `listKeys` takes. */
const mostIds = 100;

/**
 * Reads the names of the keys among these ids, because an account may have thousands of keys. Keys of workloads have no
 * record; their id names them.
 */
async function namesOfKeys(ask: CallOperation, all: readonly string[]): Promise<Names> {
  const ids = [...new Set(all)].filter((id) => id !== '' && !id.includes(','));
  const portions = Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, at) =>
    ids.slice(at * mostIds, (at + 1) * mostIds),
  );
  const pages = await Promise.all(portions.map((portion) => ask('listKeys', { ids: portion.join(',') })));
  return new Map(pages.flatMap(({ keys }) => keys.map(({ id, name }) => [id, name] as const)));
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
