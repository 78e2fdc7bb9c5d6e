import { environmentSources, readConfig, runCommand } from '@tallyport/service-kit';
import { demoDataCommand, demoDataUsage } from './demo-data-commands.ts';
import { commandConfig } from '@tallyport/management-server';
import { openDemoAdministration } from './open-administration.ts';

// `npm run demo-data`

await runCommand({
  command: demoDataCommand,
  usage: demoDataUsage,
  open: async () => openDemoAdministration(readConfig(commandConfig, environmentSources())),
});
