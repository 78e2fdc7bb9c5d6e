import { environmentSources, readConfig, runCommand } from '@tallyport/service-kit';
import { demoDataCommand, demoDataUsage } from './demo-data-commands.ts';
import { commandConfig } from '@tallyport/management-server';
import { openLedgerForCommand } from './open-administration.ts';

// `npm run demo-data`

await runCommand({
  command: demoDataCommand,
  usage: demoDataUsage,
  open: async () => openLedgerForCommand('demo-data', readConfig(commandConfig, environmentSources())),
});
