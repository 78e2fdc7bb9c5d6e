import { inProcessLink } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { DirectoryInUseError, openDatabase } from '@tallyport/database';
import { secretsConfig } from '@tallyport/management-server';
import {
  createKit,
  createMetrics,
  defineConfig,
  silentLog,
  StartError,
  stateConfig,
  within,
} from '@tallyport/service-kit';
import { type DemoAdministration, demoClient, demoThroughSocket } from '../control/demo-socket.ts';
import { ledgerModule } from '../module.ts';

export interface DemoPlaces {
  readonly NATS_URL?: string | undefined;
  readonly DATABASE_URL?: string | undefined;
  readonly DATA_DIR: string;
  readonly SECRETS_KEY?: string[] | undefined;
}

export const demoConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  DATABASE_URL: stateConfig.DATABASE_URL,
  DATA_DIR: stateConfig.DATA_DIR,
  ...secretsConfig,
});

const connectMs = 5_000;

/** Opens the ledger through the running services, if there are any, otherwise on the database itself. */
export async function openDemoAdministration(places: DemoPlaces): Promise<DemoAdministration> {
  if (places.NATS_URL !== undefined) return overNats(places.NATS_URL);
  try {
    return await inDatabase(places);
  } catch (error) {
    // A running process holds the embedded database; it executes the commands.
    if (error instanceof DirectoryInUseError) return demoThroughSocket(error);
    throw error;
  }
}

async function overNats(url: string): Promise<DemoAdministration> {
  const link = await within(natsLink({ url, name: 'demo-data' }), connectMs);
  if (link === undefined)
    throw new StartError('NATS is not reachable. Check NATS_URL, or unset it to work on the database directly.');
  return { ...demoClient(link), close: () => link.close() };
}

/** Starts ledger-svc in this process for the duration of one command. */
async function inDatabase({ DATABASE_URL, DATA_DIR, SECRETS_KEY }: DemoPlaces): Promise<DemoAdministration> {
  const database = await openDatabase(DATABASE_URL === undefined ? { directory: DATA_DIR } : { url: DATABASE_URL });
  const link = inProcessLink();
  const config = {
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
  };
  const kit = createKit({ name: 'demo-data', config, log: silentLog(), metrics: createMetrics({ defaults: false }) });
  const ledger = ledgerModule(kit, { link, database });
  const close = async () => {
    await ledger.stop?.(1_000);
    await link.close();
    await database.close();
  };
  try {
    await ledger.start?.();
  } catch (error) {
    await close();
    throw error;
  }
  return { ...demoClient(link), close };
}
