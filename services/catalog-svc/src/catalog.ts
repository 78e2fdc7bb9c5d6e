import { defineConfig, environmentSources, readConfig, runCommand, stateConfig } from '@switchyard/service-kit';
import { openCatalogueAdministration } from './command/administration.ts';
import { catalogueCommand, usage } from './command/commands.ts';
import { catalogProcessConfig } from './config.ts';

// `npm run catalog -- list | set … | remove … | refresh …`

const config = defineConfig({ ...catalogProcessConfig, DATA_DIR: stateConfig.DATA_DIR });

await runCommand({
  command: catalogueCommand,
  usage,
  open: async () => openCatalogueAdministration(readConfig(config, environmentSources())),
});
