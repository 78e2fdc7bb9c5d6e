import { environmentSources, readConfig, runCommand } from '@tallyport/service-kit';
import { demoDataCommand, demoDataUsage } from './demo-data-commands.ts';
import { administrationConfig, openAdministration } from './open-administration.ts';

// `npm run demo-data`

await runCommand({
  command: demoDataCommand,
  usage: demoDataUsage,
  open: async () => openAdministration(readConfig(administrationConfig, environmentSources())),
});
