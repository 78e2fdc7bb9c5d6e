import { defineConfig, environmentSources, readConfig, runCommand, stateConfig } from '@tallyport/service-kit';
import { catalogueCommand, catalogueUsage } from './command/commands.ts';
import { openCatalogueAdministration } from './open-administration.ts';
import { catalogProcessConfig } from './config.ts';

// `npm run catalog -- list | set … | remove … | refresh …`

const config = defineConfig({ ...catalogProcessConfig, DATA_DIR: stateConfig.DATA_DIR });

await runCommand({
  command: catalogueCommand,
  usage: catalogueUsage,
  open: async () => openCatalogueAdministration(readConfig(config, environmentSources())),
});
