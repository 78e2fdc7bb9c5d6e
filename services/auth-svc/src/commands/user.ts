import {
  defineConfig,
  environmentSources,
  publicConfig,
  readConfig,
  runCommand,
  stateConfig,
} from '@switchyard/service-kit';
import { openAdministration } from './open-administration.ts';
import { userCommand, userCommandUsage } from './user-commands.ts';
import { secretsConfig } from '../secrets/config.ts';

// `npm run user -- password <e-mail>`

const config = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  DATABASE_URL: stateConfig.DATABASE_URL,
  DATA_DIR: stateConfig.DATA_DIR,
  BASE_URL: publicConfig.BASE_URL,
  PORT: publicConfig.PORT,
  ...secretsConfig,
});

await runCommand({
  command: userCommand,
  usage: userCommandUsage,
  async open() {
    const settings = readConfig(config, environmentSources());
    const users = await openAdministration(settings);
    const publicUrl = settings.BASE_URL ?? `http://127.0.0.1:${settings.PORT}`;
    return { users, publicUrl, close: users.close };
  },
});
