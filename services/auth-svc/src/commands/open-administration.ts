import { inProcessLink, type Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { DirectoryInUseError, openDatabase } from '@tallyport/database';
import {
  createKit,
  createMetrics,
  defineConfig,
  silentLog,
  StartError,
  stateConfig,
  within,
} from '@tallyport/service-kit';
import { secretsConfig } from '@tallyport/management-server';
import { authModule } from '../module.ts';
import type { Administration } from '../control/administration.ts';
import { commandClient } from '../control/command-client.ts';
import { throughSocket } from '../control/command-socket-client.ts';

export interface Places {
  readonly NATS_URL?: string | undefined;
  readonly DATABASE_URL?: string | undefined;
  readonly DATA_DIR: string;
  readonly SECRETS_KEY?: string[] | undefined;
}

/** The settings of commands that use the administration. */
export const administrationConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  DATABASE_URL: stateConfig.DATABASE_URL,
  DATA_DIR: stateConfig.DATA_DIR,
  ...secretsConfig,
});

const connectMs = 5_000;

/** Opens the administration through the running services, if there are any, otherwise on the database itself. */
export async function openAdministration(places: Places): Promise<Administration> {
  const { NATS_URL } = places;
  if (NATS_URL !== undefined) return overNats(NATS_URL);
  try {
    return await inDatabase(places);
  } catch (error) {
    // A running process holds the embedded database; it executes the commands.
    if (error instanceof DirectoryInUseError) return throughSocket(error);
    throw error;
  }
}

async function overNats(url: string): Promise<Administration> {
  const connecting = natsLink({ url, name: 'key' });
  const link = await within(connecting, connectMs);
  if (link === undefined)
    throw new StartError('NATS is not reachable. Check NATS_URL, or unset it to work on the database directly.');
  return { ...commandClient(link), close: () => link.close() };
}

/** Starts auth-svc in this process for the duration of one command. */
async function inDatabase({ DATABASE_URL, DATA_DIR, SECRETS_KEY }: Places): Promise<Administration> {
  const database = await openDatabase(DATABASE_URL === undefined ? { directory: DATA_DIR } : { url: DATABASE_URL });
  const link: Link = inProcessLink();
  const config = {
    DATABASE_URL,
    DATA_DIR,
    SECRETS_KEY,
    ALLOW_LOCAL_TARGETS: false,
    PRIVATE_TARGETS: [],
    LOG_CONTENT: false,
    GATEWAY_CONFIG: undefined,
    GATEWAY_CONFIG_PRUNE: false,
    GATEWAY_CONFIG_SECRETS: undefined,
    BOOTSTRAP_API_KEY: undefined,
    IDENTITY_CONFIG: undefined,
    BOOTSTRAP_ADMIN_EMAIL: undefined,
    BOOTSTRAP_ADMIN_PASSWORD: undefined,
  };
  const kit = createKit({ name: 'key', config, log: silentLog(), metrics: createMetrics({ defaults: false }) });
  const auth = authModule(kit, { link, database });
  const close = async () => {
    await auth.stop?.(1_000);
    await link.close();
    await database.close();
  };
  try {
    await auth.start?.();
  } catch (error) {
    await close();
    throw error;
  }
  return { ...commandClient(link), close };
}
