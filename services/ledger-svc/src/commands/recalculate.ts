import { commandConfig } from '@tallyport/management-server';
import { environmentSources, readConfig, runCommand } from '@tallyport/service-kit';
import { openLedgerForCommand } from './open-administration.ts';
import { recalculateCommand, recalculateUsage } from './recalculate-command.ts';

// `npm run recalculate -- --from <day> --to <day>`

await runCommand({
  command: recalculateCommand,
  usage: recalculateUsage,
  open: async () => openLedgerForCommand('recalculate', readConfig(commandConfig, environmentSources())),
});
