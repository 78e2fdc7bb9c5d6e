import { defineConfig, environmentSources, readConfig, runCommand, stateConfig } from '@tallyport/service-kit';
import { secretsConfig } from '@tallyport/management-server';
import { secretsAdministration } from './secrets-administration.ts';
import { secretsCommand, secretsCommandUsage } from './secrets-commands.ts';

// `npm run secrets -- generate | reencrypt`

const config = defineConfig({
  DATABASE_URL: stateConfig.DATABASE_URL,
  DATA_DIR: stateConfig.DATA_DIR,
  ...secretsConfig,
});

await runCommand({
  command: secretsCommand,
  usage: secretsCommandUsage,
  open: async () => secretsAdministration(() => readConfig(config, environmentSources())),
});
