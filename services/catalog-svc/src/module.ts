import { join, resolve } from 'node:path';
import { createClient, type Link, type Listener, serve } from '@tallyport/bus';
import { type Catalogue, catalogService } from '@tallyport/contracts';
import { createModelLister } from '@tallyport/dispatch';
import type { Database } from '@tallyport/database';
import { chatProviders } from '@tallyport/providers';
import { type Kit, type Part, StartError, within } from '@tallyport/service-kit';
import { openAccountKeys, openAccountRoutes, openProviderTargets } from '@tallyport/serving/upstreams';
import { callerWith } from './caller.ts';
import { type CatalogueKeeper, createCatalogueKeeper } from './catalogue-keeper.ts';
import { type CatalogConfig, offersSandbox } from './config.ts';
import { createDiscovery, type Discovery } from './discovery/discovery.ts';
import { listingServers } from './discovery/servers.ts';
import { type CatalogEvents, catalogEvents } from './events.ts';
import { getModel } from './get-model.ts';
import { geminiForm } from './forms/gemini-form.ts';
import { clientForm } from './forms/client-form.ts';
import { gatherIngredients, type Ingredients } from './ingredients.ts';
import { listModels } from './list-models.ts';
import { createFileSource, type FileSource } from './operator-file/file-source.ts';
import { overrideAdministration, type OverridePlace } from './override-administration.ts';
import { createOverridesCopy } from './overrides/overrides-copy.ts';
import { priceVersionKeeper, readPriceList } from './prices/price-versions.ts';
import { readDataFiles, readTierRules } from './read-data.ts';

export { catalogueSocket } from './http/catalogue-socket.ts';
export { catalogConfig, offersSandbox } from './config.ts';

interface CatalogTools {
  link: Link;
  /** Stores overrides. Without it the catalogue is built from files only. */
  database?: Database | undefined;
  /** How long the start waits for the overrides. Then it starts with the files, and reads the overrides as soon as it can. */
  databaseWaitMs?: number;
}

const dataFolder = join(import.meta.dirname, 'data');
const defaultOperatorFile = 'tallyport.yaml';

/** Serves the catalogue on the bus. Changes are announced to all replicas and to all services with a copy. */
export function catalogModule(kit: Kit<CatalogConfig>, { link, database, databaseWaitMs = 1_000 }: CatalogTools): Part {
  const events = catalogEvents(kit);
  const { catalogueChanged } = createClient(link, catalogService);
  const accountKeys = openAccountKeys(link);
  const callerOf = callerWith({ accountKeys, accountRoutes: openAccountRoutes(link) });
  let running: CatalogParts | undefined;
  let listener: Listener | undefined;
  let unsubscribe = () => {};

  return {
    name: 'catalog-svc',
    async start() {
      const base = gatherIngredients(await readDataFiles(dataFolder), await readTierRules(dataFolder));
      running = open(kit, { base, database, events, publish: (version) => catalogueChanged.publish({ version }) });
      const { keeper, file, place } = running;
      await file.start().catch(stopStart);
      if (place) await within(place.copy.refresh(), databaseWaitMs);
      const handlers = {
        listModels: listModels(keeper.lists, { callerOf, events, formOf: clientForm }),
        getModel: getModel(keeper.lists, { callerOf, formOf: clientForm }),
        listGeminiModels: listModels(keeper.lists, { callerOf, events, formOf: () => geminiForm }),
        getGeminiModel: getModel(keeper.lists, { callerOf, formOf: () => geminiForm }),
        snapshot: ({ known }: { known?: string | undefined }) => snapshotOf(keeper.catalogue(), known),
        priceList: readPriceList({ catalogue: keeper.catalogue, place }),
        ...overrideAdministration({ keeper, place, events }),
      };
      listener = await serve(link, catalogService, handlers);
      unsubscribe = catalogueChanged.subscribe(({ version }) => {
        if (version !== keeper.catalogue().version) void place?.copy.refresh();
      });
      accountKeys.start();
      running.discovery.refresh();
      events.loaded(keeper.catalogue());
      catalogueChanged.publish({ version: keeper.catalogue().version });
    },
    async stop(deadlineMs) {
      unsubscribe();
      accountKeys.stop();
      await running?.discovery.stop();
      running?.file.stop();
      running?.place?.copy.stop();
      await listener?.drain(deadlineMs);
    },
  };
}

/** Services with a copy check every half minute, so an unchanged catalogue is not sent again. */
const snapshotOf = (catalogue: Catalogue, known: string | undefined): Catalogue =>
  catalogue.version === known ? { version: known, models: [], next: catalogue.next } : catalogue;

interface CatalogParts {
  keeper: CatalogueKeeper;
  file: FileSource;
  place: OverridePlace | undefined;
  discovery: Discovery;
}

interface OpenOptions {
  base: Ingredients;
  database: Database | undefined;
  events: CatalogEvents;
  publish(version: string): void;
}

function open(kit: Kit<CatalogConfig>, { base, database, events, publish }: OpenOptions): CatalogParts {
  const { TALLYPORT_CONFIG: named, UNKNOWN_MODELS: unknownModels, MODEL_DISCOVERY_MS: everyMs } = kit.config;
  const targets = openProviderTargets(kit.config);
  const keeper: CatalogueKeeper = createCatalogueKeeper({
    base,
    builtIn: builtInProviders(base),
    sandbox: offersSandbox(kit.config),
    now: Date.now,
    targets,
    unknownModels,
    onChange(catalogue) {
      events.loaded(catalogue);
      publish(catalogue.version);
      discovery.refresh();
    },
  });
  const discovery = createDiscovery({
    servers: () => listingServers(targets, keeper.catalogue().providers ?? []),
    lister: createModelLister(),
    everyMs,
    onListed: keeper.setListed,
    onFailed: events.modelsNotListed,
  });
  const file = resolve(named ?? defaultOperatorFile);
  return {
    keeper,
    file: createFileSource({ keeper, events, fail: kit.fail, file, required: named !== undefined }),
    place: database && { database, copy: copyOf(database, { keeper, events, fail: kit.fail }) },
    discovery,
  };
}

/** Providers with an adapter, and those in the data files, whose adapters may exist in another version. */
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

function copyOf(database: Database, { keeper, events, fail }: CopyTools) {
  const keepVersion = priceVersionKeeper(database);
  return createOverridesCopy({
    database,
    async onRead(rows) {
      keeper.setOverrides(rows);
      for (const row of rows) {
        const problem = keeper.problemWith(row);
        if (problem !== undefined) events.overrideIgnored(row, problem.message);
      }
      await keepVersion(keeper.catalogue());
    },
    onUnavailable: events.databaseUnavailable,
    onFailed: fail,
  });
}

function stopStart(error: unknown): never {
  throw error instanceof Error ? new StartError(error.message, { cause: error }) : error;
}
