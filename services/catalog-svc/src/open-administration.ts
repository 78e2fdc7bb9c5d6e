import { createClient, inProcessLink } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { catalogService } from '@tallyport/contracts';
import { DirectoryInUseError, openDatabase } from '@tallyport/database';
import { createKit, createMetrics, silentLog, StartError, within } from '@tallyport/service-kit';
import type { CatalogConfig } from './config.ts';
import { catalogueThroughSocket } from './http/catalogue-socket.ts';
import { catalogModule } from './module.ts';
import type { CatalogueAdministration } from './command/administration.ts';

export interface CataloguePlaces extends Omit<CatalogConfig, keyof typeof commandDefaults> {
  readonly DATABASE_URL: string | undefined;
  readonly DATA_DIR: string;
}

/** Commands neither query servers for their models nor send chats. */
const commandDefaults = { MODEL_DISCOVERY_MS: 0, UNKNOWN_MODELS: 'refuse' } as const;

const connectMs = 5_000;
/** A slow machine needs seconds to open the embedded database. An unavailable database ends the wait at once. */
const databaseWaitMs = 30_000;

/** Connects to running services if there are any, and otherwise opens the database directly. */
export async function openCatalogueAdministration(places: CataloguePlaces): Promise<CatalogueAdministration> {
  if (places.NATS_URL !== undefined) return catalogueOverNats(places.NATS_URL);
  try {
    return await catalogueInDatabase(places);
  } catch (error) {
    // An embedded instance is running, so the command is sent to it.
    if (error instanceof DirectoryInUseError) return catalogueThroughSocket(error);
    throw error;
  }
}

async function catalogueOverNats(url: string): Promise<CatalogueAdministration> {
  const link = await within(natsLink({ url, name: 'catalog' }), connectMs);
  if (link === undefined)
    throw new StartError('NATS is not responding: check NATS_URL, or unset it to work on the database directly.');
  return { ...createClient(link, catalogService), close: () => link.close() };
}

/** Runs the same service as everywhere, for the duration of one command. */
async function catalogueInDatabase(places: CataloguePlaces): Promise<CatalogueAdministration> {
  const { DATABASE_URL: url, DATA_DIR: directory } = places;
  const database = await openDatabase(url === undefined ? { directory } : { url });
  const link = inProcessLink();
  const kit = createKit({
    name: 'catalog',
    config: { ...places, ...commandDefaults },
    log: silentLog(),
    metrics: createMetrics({ defaults: false }),
  });
  const catalog = catalogModule(kit, { link, database, databaseWaitMs });
  const close = async () => {
    await catalog.stop?.(1_000);
    await link.close();
    await database.close();
  };
  try {
    await catalog.start?.();
  } catch (error) {
    await close();
    throw error;
  }
  return { ...createClient(link, catalogService), close };
}
