import type { ApiKey, NewKey } from '@switchyard/contracts';
import type { Administration } from './administration.ts';
import { readNewKey } from './key-options.ts';

export const keyCommandUsage = `Usage:
  npm run key -- create <name>   make a key; its text is shown once
  npm run key -- list            show all keys
  npm run key -- revoke <id>     end a key, everywhere, at once

A key may be made with
  --admin                        it may use the management API, /api/v1
  --expires 30d                  when it ends by itself (m, h or d)
  --models a,b  --providers a,b  what it may be used for
  --addresses 203.0.113.0/24     where its requests may come from
  --rpm 100  --tpm 50000         requests of each kind, and tokens, per minute
  --concurrency 10               requests at once
  --budget 25/month              dollars per day, week, month or in total
  --cache 60                     seconds its answers may be served again, 0 for never
`;

/** Does it and tells what to show. */
export type KeyCommand = (keys: Administration) => Promise<string>;

/** What these words ask for; `undefined` when they cannot be understood. */
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
  return `${key}\n\nThis is the only time it is shown. Its id is ${record.id}.\n`;
}

async function list(keys: Administration): Promise<string> {
  const { keys: records } = await keys.listKeys({});
  if (records.length === 0) return 'There are no keys yet. Make one: npm run key -- create <name>\n';
  return records.map(line).join('');
}

function line({ id, prefix, name, createdAt, lastUsedAt, ...key }: ApiKey): string {
  const used = lastUsedAt === undefined ? 'not used yet' : `last used ${lastUsedAt}`;
  const words = [`${id}  ${prefix}…`, JSON.stringify(name), `created ${createdAt}`, used, stateOf(key)];
  return `${[...words, ...(key.admin ? ['admin'] : [])].join('  ')}\n`;
}

function stateOf({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt}`;
  if (expiresAt === undefined) return 'works';
  return Date.parse(expiresAt) > Date.now() ? `works until ${expiresAt}` : `expired ${expiresAt}`;
}

async function revoke(keys: Administration, id: string): Promise<string> {
  const { revoked } = await keys.revokeKey({ id });
  if (!revoked) throw new Error(`There is no key with the id ${id}. See them all: npm run key -- list`);
  return `${id} is revoked.\n`;
}
