import { join, resolve } from 'node:path';
import { createClient, type Link, type Listener, serve } from '@switchyard/bus';
import { catalogService } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { chatProviders } from '@switchyard/providers';
import { type Kit, type Part, StartError, within } from '@switchyard/service-kit';
import { type CatalogueKeeper, createCatalogueKeeper } from './catalogue-keeper.ts';
import { type CatalogConfig, offersSandbox } from './config.ts';
import { type CatalogEvents, catalogEvents } from './events.ts';
import { getModel } from './get-model.ts';
import { gatherIngredients, type Ingredients } from './ingredients.ts';
import { listModels } from './list-models.ts';
import { createFileSource, type FileSource } from './operator-file/file-source.ts';
import { overrideAdministration, type OverridePlace } from './overrides/administration.ts';
import { createOverridesCopy } from './overrides/overrides-copy.ts';
import { readDataFiles } from './read-data.ts';

export { catalogueSocket } from './http/catalogue-socket.ts';
export { catalogConfig, type CatalogConfig, offersSandbox } from './config.ts';

export interface CatalogNeeds {
  link: Link;
  /** Where overrides are kept; without one the catalogue comes from files alone. */
  database?: Database | undefined;
}

const dataFolder = join(import.meta.dirname, 'data');
const defaultOperatorFile = 'switchyard.yaml';
const databasePatienceMs = 1_000;

/** The catalogue, on the bus. Whatever changes it is told to all replicas and to everyone with a copy. */
export function catalogModule(kit: Kit<CatalogConfig>, { link, database }: CatalogNeeds): Part {
  const events = catalogEvents(kit);
  const { catalogueChanged } = createClient(link, catalogService);
  let running: CatalogParts | undefined;
  let listener: Listener | undefined;
  let unsubscribe = () => {};

  return {
    name: 'catalog-svc',
    async start() {
      const base = gatherIngredients(await readDataFiles(dataFolder));
      running = open(kit, { base, database, events, publish: (version) => catalogueChanged.publish({ version }) });
      const { keeper, file, place } = running;
      await file.start().catch(stopStart);
      // With the database away the files must do; it is asked again every second.
      if (place) await within(place.copy.refresh(), databasePatienceMs);
      const handlers = {
        listModels: listModels(keeper.lists, events),
        getModel: getModel(keeper.lists),
        snapshot: keeper.catalogue,
        ...overrideAdministration({ keeper, place, events }),
      };
      listener = await serve(link, catalogService, handlers);
      unsubscribe = catalogueChanged.subscribe(({ version }) => {
        if (version !== keeper.catalogue().version) void place?.copy.refresh();
      });
      events.loaded(keeper.catalogue());
      catalogueChanged.publish({ version: keeper.catalogue().version });
    },
    async stop(deadlineMs) {
      unsubscribe();
      running?.file.stop();
      running?.place?.copy.stop();
      await listener?.drain(deadlineMs);
    },
  };
}

interface CatalogParts {
  keeper: CatalogueKeeper;
  file: FileSource;
  place: OverridePlace | undefined;
}

interface OpenOptions {
  base: Ingredients;
  database: Database | undefined;
  events: CatalogEvents;
  publish(version: string): void;
}

function open(kit: Kit<CatalogConfig>, { base, database, events, publish }: OpenOptions): CatalogParts {
  const { SWITCHYARD_CONFIG: named } = kit.config;
  const keeper = createCatalogueKeeper({
    base,
    builtIn: builtInProviders(base),
    sandbox: offersSandbox(kit.config),
    now: Date.now,
    onChange(catalogue) {
      events.loaded(catalogue);
      publish(catalogue.version);
    },
  });
  const file = resolve(named ?? defaultOperatorFile);
  return {
    keeper,
    file: createFileSource({ keeper, events, fail: kit.fail, file, required: named !== undefined }),
    place: database && { database, copy: copyOf(database, { keeper, events, fail: kit.fail }) },
  };
}

/** Those with an adapter and those our data files know of: their adapter may be in another version. */
const builtInProviders = ({ models }: Ingredients): ReadonlySet<string> =>
  new Set([
    ...chatProviders.map(({ id }) => id),
    ...[...models.values()].flatMap(({ offers }) => offers.map(({ provider }) => provider)),
  ]);

interface CopyTools {
  keeper: CatalogueKeeper;
  events: CatalogEvents;
  fail(error: unknown): void;
}

const copyOf = (database: Database, { keeper, events, fail }: CopyTools) =>
  createOverridesCopy({
    database,
    onRead(rows) {
      keeper.setOverrides(rows);
      for (const row of rows) {
        const problem = keeper.problemWith(row);
        if (problem !== undefined) events.overrideIgnored(row, problem.message);
      }
    },
    onAway: events.databaseAwaited,
    onFailed: fail,
  });

function stopStart(error: unknown): never {
  throw error instanceof Error ? new StartError(error.message, { cause: error }) : error;
}
