import type { ApiKey } from '@switchyard/contracts';
import type { KeyAdministration } from './key-administration.ts';

export const usage = `Usage:
  npm run key -- create <name>   make a key; its text is shown once
  npm run key -- list            show all keys
  npm run key -- revoke <id>     end a key, everywhere, at once
`;

/** Does it and tells what to show. */
export type KeyCommand = (keys: KeyAdministration) => Promise<string>;

/** What these words ask for; `undefined` when they cannot be understood. */
export function keyCommand([verb, argument = '', ...rest]: readonly string[]): KeyCommand | undefined {
  if (rest.length > 0) return undefined;
  if (verb === 'create' && argument !== '') return (keys) => create(keys, argument);
  if (verb === 'list' && argument === '') return list;
  if (verb === 'revoke' && argument !== '') return (keys) => revoke(keys, argument);
  return undefined;
}

async function create(keys: KeyAdministration, name: string): Promise<string> {
  const { key, record } = await keys.createKey({ name });
  return `${key}\n\nThis is the only time it is shown. Its id is ${record.id}.\n`;
}

async function list(keys: KeyAdministration): Promise<string> {
  const { keys: records } = await keys.listKeys({});
  if (records.length === 0) return 'There are no keys yet. Make one: npm run key -- create <name>\n';
  return records.map(line).join('');
}

function line({ id, prefix, name, createdAt, lastUsedAt, revokedAt }: ApiKey): string {
  const state = revokedAt === undefined ? 'works' : `revoked ${revokedAt}`;
  const used = lastUsedAt === undefined ? 'not used yet' : `last used ${lastUsedAt}`;
  return `${id}  ${prefix}…  ${JSON.stringify(name)}  created ${createdAt}  ${used}  ${state}\n`;
}

async function revoke(keys: KeyAdministration, id: string): Promise<string> {
  const { revoked } = await keys.revokeKey({ id });
  if (!revoked) throw new Error(`There is no key with the id ${id}. See them all: npm run key -- list`);
  return `${id} is revoked.\n`;
}
