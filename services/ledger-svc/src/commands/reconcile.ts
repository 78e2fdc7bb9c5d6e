import { readFile } from 'node:fs/promises';
import { commandConfig } from '@tallyport/management-server';
import {
  environmentSources,
  readConfig,
  runCommand,
  secretFromEnvironment,
  vendorAccessFromEnvironment,
} from '@tallyport/service-kit';
import { askHidden } from './ask-hidden.ts';
import { openLedgerForCommand } from './open-administration.ts';
import { failureCode, reconcileCommand, reconcileUsage } from './reconcile-commands.ts';

// `npm run reconcile`

await runCommand({
  command: (words) => {
    const command = reconcileCommand(words);
    return (
      command &&
      ((ledger) =>
        command(ledger, {
          readFile: (path) => readFile(path, 'utf8'),
          baseUrl: (keyVariable) => vendorAccessFromEnvironment(keyVariable).baseUrl,
          async adminKey({ keyVariable, name, keyName }) {
            const variable = `${keyVariable}_ADMIN_KEY`;
            return (
              secretFromEnvironment(variable) ??
              askHidden(`Key of ${name}, ${keyName}: `, `Set ${variable} to ${keyName} of ${name}, for this run only.`)
            );
          },
        }))
    );
  },
  usage: reconcileUsage,
  failureCode,
  open: async () => openLedgerForCommand('reconcile', readConfig(commandConfig, environmentSources())),
});
