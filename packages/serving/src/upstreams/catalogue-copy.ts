import { type Client, createClient, type Link } from '@tallyport/bus';
import { GatewayError, catalogService } from '@tallyport/contracts';
import type { ModelIndex, UnknownModels } from '@tallyport/dispatch';
import { within } from '@tallyport/service-kit';
import { holdCatalogue } from './held-catalogue.ts';

/** This replica's copy of the catalogue, so that requests never wait for catalog-svc. */
export interface CatalogueCopy {
  /** Returns the latest copy. Throws `unavailable` until there is a first one. */
  index(): ModelIndex;
  present(): boolean;
  /** Starts fetching. Resolves with the first copy, or without it after a second. */
  start(): Promise<void>;
  stop(): void;
}

interface CatalogueCopyOptions {
  link: Link;
  refreshMs: number;
  unknownModels: UnknownModels;
  onLoaded(index: ModelIndex): void;
  onTrouble(error: unknown): void;
}

const startWaitMs = 1_000;
const firstRetryMs = 100;
const lastRetryMs = 5_000;

export function createCatalogueCopy(options: CatalogueCopyOptions): CatalogueCopy {
  const catalog: Client<(typeof catalogService)['operations']> = createClient(options.link, catalogService);
  const held = holdCatalogue(options);
  let timer: NodeJS.Timeout | undefined;
  let retryMs = firstRetryMs;
  let fetching: Promise<void> | undefined;
  let outdated = false;
  let stopped = false;
  let unsubscribe = () => {};

  async function fetch(): Promise<void> {
    try {
      const known = held.index()?.version;
      held.take(await catalog.snapshot(known === undefined ? {} : { known }));
      retryMs = firstRetryMs;
    } catch (error) {
      options.onTrouble(error);
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    }
  }

  /** Runs one fetch at a time; a change announced meanwhile is fetched after it. */
  async function refresh(): Promise<void> {
    clearTimeout(timer);
    outdated = true;
    fetching ??= (async () => {
      while (outdated && !stopped) {
        outdated = false;
        await fetch();
      }
      fetching = undefined;
      const waitMs = retryMs > firstRetryMs || held.index() === undefined ? retryMs : options.refreshMs;
      if (!stopped) timer = setTimeout(() => void refresh(), waitMs);
    })();
    return fetching;
  }

  return {
    index() {
      const index = held.index();
      if (index !== undefined) return index;
      throw new GatewayError('unavailable', 'The catalogue is not loaded yet. Try again in a second.', {
        retryAfterMs: 1_000,
      });
    },
    present: () => held.index() !== undefined,
    async start() {
      unsubscribe = catalog.catalogueChanged.subscribe(() => void refresh());
      await within(refresh(), startWaitMs);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
