import type { ApiKey, NewKey } from '@tallyport/contracts';
import type { Administration } from '../control/administration.ts';
import { readNewKey } from './key-options.ts';

export const keyCommandUsage = `Usage:
  npm run key -- create <name>   create a key; it is shown once
  npm run key -- list            list all keys
  npm run key -- revoke <id>     revoke a key everywhere

Options for create:
  --admin                        allow the management API, /api/v1
  --expires 30d                  expire after this time (m, h or d)
  --project <id>                 count towards the limits and the budget of this project
  --models a,b  --providers a,b  allow only these models and providers
  --tiers flex,priority          allow only these service tiers besides the standard one
  --mcp-tools a,b__c             allow only these registered MCP servers and tools of theirs
  --addresses 203.0.113.0/24     allow only these client addresses
  --rpm 100  --tpm 50000         limit requests of each kind, and tokens, per minute
  --concurrency 10               limit concurrent requests
  --budget 25/month              limit the cost in dollars per day, week, month or in total
  --end-user-budget 5/month      limit the cost of each end user
  --cache 60                     cache responses for this many seconds; 0 disables the cache
  --prompt-caching auto          mark prompts for vendors' caches; off never does, even if the account does
`;

/** Runs a command and resolves with its output. */
type KeyCommand = (keys: Administration) => Promise<string>;

/** Parses the arguments; `undefined` if they are invalid. */
export function keyCommand([verb, ...words]: readonly string[]): KeyCommand | undefined {
  const newKey = verb === 'create' ? readNewKey(words, Date.now()) : undefined;
  if (newKey) return (keys) => create(keys, newKey);
  const [argument = '', ...rest] = words;
  if (rest.length > 0) return undefined;
  if (verb === 'list' && argument === '') return list;
  if (verb === 'revoke' && argument !== '') return (keys) => revoke(keys, argument);
  return undefined;
}

async function create(keys: Administration, newKey: NewKey): Promise<string> {
  const { key, record } = await keys.createKey(newKey);
  return `${key}\n\nCopy it now: it is not shown again. Its id is ${record.id}.\n`;
}

async function list(keys: Administration): Promise<string> {
  const { keys: records } = await keys.listKeys({});
  if (records.length === 0) return 'There are no keys yet. Create one: npm run key -- create <name>\n';
  return records.map(line).join('');
}

function line({ id, prefix, name, createdAt, lastUsedAt, ...key }: ApiKey): string {
  const used = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`;
  const words = [`${id}  ${prefix}…`, JSON.stringify(name), `created ${createdAt}`, used, stateOf(key)];
  return `${[...words, ...(key.admin ? ['admin'] : [])].join('  ')}\n`;
}

function stateOf({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt}`;
  if (expiresAt === undefined) return 'active';
  return Date.parse(expiresAt) > Date.now() ? `active until ${expiresAt}` : `expired ${expiresAt}`;
}

async function revoke(keys: Administration, id: string): Promise<string> {
  const { revoked } = await keys.revokeKey({ id });
  if (!revoked) throw new Error(`There is no key with the id ${id}. List all keys: npm run key -- list`);
  return `Revoked ${id}.\n`;
}
