import { ConfigError, defineConfig, environmentSources, readConfig, stateConfig } from '@switchyard/service-kit';
import { openKeyAdministration } from './key-administration.ts';
import { keyCommand, usage } from './key-commands.ts';

// `npm run key -- create <name> | list | revoke <id>`

const config = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  DATABASE_URL: stateConfig.DATABASE_URL,
  DATA_DIR: stateConfig.DATA_DIR,
});

async function main(words: readonly string[]): Promise<number> {
  const command = keyCommand(words);
  if (command === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  const keys = await openKeyAdministration(readConfig(config, environmentSources()));
  try {
    process.stdout.write(await command(keys));
    return 0;
  } finally {
    await keys.close();
  }
}

function explain(error: unknown): number {
  const lines =
    error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)];
  process.stderr.write(`${lines.join('\n')}\n`);
  return 1;
}

// A NATS server that does not answer is tried for ever: nothing that is still under way keeps this command.
process.exit(await main(process.argv.slice(2)).catch(explain));
