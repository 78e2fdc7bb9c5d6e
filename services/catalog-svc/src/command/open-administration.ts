import { createClient, inProcessLink, natsLink } from '@switchyard/bus';
import { catalogService } from '@switchyard/contracts';
import { DirectoryInUseError, openDatabase } from '@switchyard/database';
import { createKit, createMetrics, silentLog, StartError, within } from '@switchyard/service-kit';
import type { CatalogConfig } from '../config.ts';
import { catalogueThroughSocket } from '../http/catalogue-socket.ts';
import { catalogModule } from '../module.ts';
import type { CatalogueAdministration } from './administration.ts';

export interface CataloguePlaces extends CatalogConfig {
  readonly DATABASE_URL: string | undefined;
  readonly DATA_DIR: string;
}

const connectMs = 5_000;

/** Through the running services when there are any, else on the database itself. */
export async function openCatalogueAdministration(places: CataloguePlaces): Promise<CatalogueAdministration> {
  if (places.NATS_URL !== undefined) return catalogueOverNats(places.NATS_URL);
  try {
    return await catalogueInDatabase(places);
  } catch (error) {
    // An embedded instance is running: it does it for us.
    if (error instanceof DirectoryInUseError) return catalogueThroughSocket(error);
    throw error;
  }
}

async function catalogueOverNats(url: string): Promise<CatalogueAdministration> {
  const link = await within(natsLink({ url, name: 'catalog' }), connectMs);
  if (link === undefined)
    throw new StartError('NATS does not answer: check NATS_URL, or unset it to work on the database directly.');
  return { ...createClient(link, catalogService), close: () => link.close() };
}

/** The same service as everywhere, for as long as one command takes. */
async function catalogueInDatabase(places: CataloguePlaces): Promise<CatalogueAdministration> {
  const { DATABASE_URL: url, DATA_DIR: directory } = places;
  const database = await openDatabase(url === undefined ? { directory } : { url });
  const link = inProcessLink();
  const kit = createKit({
    name: 'catalog',
    config: places,
    log: silentLog(),
    metrics: createMetrics({ defaults: false }),
  });
  const catalog = catalogModule(kit, { link, database });
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
