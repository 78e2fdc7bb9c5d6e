import { defineConfig, environmentSources, readConfig, runCommand, stateConfig } from '@switchyard/service-kit';
import { openAdministration } from './open-administration.ts';
import { keyCommand, keyCommandUsage } from './key-commands.ts';
import { secretsConfig } from '../secrets/config.ts';

// `npm run key -- create <name> | list | revoke <id>`

const config = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  DATABASE_URL: stateConfig.DATABASE_URL,
  DATA_DIR: stateConfig.DATA_DIR,
  ...secretsConfig,
});

await runCommand({
  command: keyCommand,
  usage: keyCommandUsage,
  open: async () => openAdministration(readConfig(config, environmentSources())),
});
