import { environmentSources, readConfig, runCommand } from '@tallyport/service-kit';
import { commandConfig } from '@tallyport/management-server';
import { openAdministration } from './open-administration.ts';
import { keyCommand, keyCommandUsage } from './key-commands.ts';

// `npm run key -- create <name> | list | revoke <id>`

await runCommand({
  command: keyCommand,
  usage: keyCommandUsage,
  open: async () => openAdministration(readConfig(commandConfig, environmentSources())),
});
