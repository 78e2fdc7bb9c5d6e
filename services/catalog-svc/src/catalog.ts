import { ConfigError, defineConfig, environmentSources, readConfig, stateConfig } from '@switchyard/service-kit';
import { openCatalogueAdministration } from './command/administration.ts';
import { catalogueCommand, usage } from './command/commands.ts';
import { catalogProcessConfig } from './config.ts';

// `npm run catalog -- list | set … | remove … | refresh …`

const config = defineConfig({ ...catalogProcessConfig, DATA_DIR: stateConfig.DATA_DIR });

async function main(words: readonly string[]): Promise<number> {
  const command = catalogueCommand(words);
  if (command === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  const catalogue = await openCatalogueAdministration(readConfig(config, environmentSources()));
  try {
    process.stdout.write(await command(catalogue));
    return 0;
  } finally {
    await catalogue.close();
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
