import type { ApiKey } from '@switchyard/contracts';
import { ConfigError, defineConfig, environmentSources, readConfig, stateConfig } from '@switchyard/service-kit';
import { type KeyAdministration, openKeyAdministration } from './key-administration.ts';

// `npm run key -- create <name> | list | revoke <id>`

const usage = `Usage:
  npm run key -- create <name>   make a key; its text is shown once
  npm run key -- list            show all keys
  npm run key -- revoke <id>     end a key, everywhere, at once
`;

const config = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  DATABASE_URL: stateConfig.DATABASE_URL,
  DATA_DIR: stateConfig.DATA_DIR,
});

type Command = (keys: KeyAdministration) => Promise<string>;

function commandOf([verb, argument = '', ...rest]: readonly string[]): Command | undefined {
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

async function main(): Promise<void> {
  const command = commandOf(process.argv.slice(2));
  if (command === undefined) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  const keys = await openKeyAdministration(readConfig(config, environmentSources()));
  try {
    process.stdout.write(await command(keys));
  } finally {
    await keys.close();
  }
}

await main().catch((error: unknown) => {
  const message =
    error instanceof ConfigError ? error.problems.join('\n') : error instanceof Error ? error.message : '';
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
