import { defineConfig, environmentSources, publicConfig, readConfig, runCommand } from '@tallyport/service-kit';
import { commandConfig } from '@tallyport/management-server';
import { openAdministration } from './open-administration.ts';
import { userCommand, userCommandUsage } from './user-commands.ts';

// `npm run user -- password <e-mail>`

const config = defineConfig({
  ...commandConfig,
  BASE_URL: publicConfig.BASE_URL,
  PORT: publicConfig.PORT,
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
