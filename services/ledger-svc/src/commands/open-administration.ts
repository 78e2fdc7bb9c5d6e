import { type CommandPlaces, openByCommand } from '@tallyport/management-server';
import { createKit, createMetrics, silentLog } from '@tallyport/service-kit';
import { type LedgerCommandClient, ledgerClient, ledgerThroughSocket } from '../control/ledger-socket.ts';
import { ledgerModule } from '../module.ts';

/** Opens the ledger for one command. */
export const openLedgerForCommand = (
  name: string,
  places: CommandPlaces,
): Promise<LedgerCommandClient & { close(): Promise<void> }> =>
  openByCommand(places, {
    name,
    client: ledgerClient,
    throughSocket: ledgerThroughSocket,
    module: (at) => ledgerModule(kitOf(name, places), at),
  });

const kitOf = (name: string, { DATABASE_URL, DATA_DIR, SECRETS_KEY }: CommandPlaces) =>
  createKit({
    name,
    config: {
      DATABASE_URL,
      DATA_DIR,
      SECRETS_KEY,
      ALLOW_LOCAL_TARGETS: false,
      PRIVATE_TARGETS: [],
      SMTP_URL: undefined,
      SMTP_FROM: undefined,
      LEDGER_DATABASE_CONNECTIONS: 2,
      // The command must not delete usage records.
      USAGE_RETENTION_DAYS: 36_500,
    },
    log: silentLog(),
    metrics: createMetrics({ defaults: false }),
  });
