import { inProcessLink, type Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { type Database, DirectoryInUseError, openDatabase } from '@tallyport/database';
import { type ConfigOf, defineConfig, type Part, StartError, stateConfig, within } from '@tallyport/service-kit';
import { secretsConfig } from '../secrets/config.ts';

/** The settings of commands that use a service's operations. */
export const commandConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  DATABASE_URL: stateConfig.DATABASE_URL,
  DATA_DIR: stateConfig.DATA_DIR,
  ...secretsConfig,
});

/** Where the service of a command is, or else what it stores. */
export type CommandPlaces = Partial<ConfigOf<typeof commandConfig>> & Pick<ConfigOf<typeof commandConfig>, 'DATA_DIR'>;

interface CommandService<Operations extends object> {
  /** The name at NATS. */
  name: string;
  /** The operations over the bus. */
  client(link: Link): Operations;
  /** The operations at the running process that holds the data directory. */
  throughSocket(held: DirectoryInUseError): Operations;
  module(at: { link: Link; database: Database }): Part;
}

const connectMs = 5_000;

/** Opens a service's operations through the running services, if there are any, otherwise on the database itself. */
export async function openByCommand<Operations extends object>(
  places: CommandPlaces,
  service: CommandService<Operations>,
): Promise<Operations & { close(): Promise<void> }> {
  const { NATS_URL } = places;
  if (NATS_URL !== undefined) return overNats(NATS_URL, service);
  try {
    return await inDatabase(places, service);
  } catch (error) {
    // A running process holds the embedded database; it executes the commands.
    if (error instanceof DirectoryInUseError) return { ...service.throughSocket(error), close: async () => {} };
    throw error;
  }
}

async function overNats<Operations extends object>(url: string, { name, client }: CommandService<Operations>) {
  const link = await within(natsLink({ url, name }), connectMs);
  if (link === undefined)
    throw new StartError('NATS is not reachable. Check NATS_URL, or unset it to work on the database directly.');
  return { ...client(link), close: () => link.close() };
}

/** Starts the service in this process for the duration of one command. */
async function inDatabase<Operations extends object>(
  { DATABASE_URL, DATA_DIR }: CommandPlaces,
  { client, module }: CommandService<Operations>,
) {
  const database = await openDatabase(DATABASE_URL === undefined ? { directory: DATA_DIR } : { url: DATABASE_URL });
  const link = inProcessLink();
  const part = module({ link, database });
  const close = async () => {
    await part.stop?.(1_000);
    await link.close();
    await database.close();
  };
  try {
    await part.start?.();
  } catch (error) {
    await close();
    throw error;
  }
  return { ...client(link), close };
}
