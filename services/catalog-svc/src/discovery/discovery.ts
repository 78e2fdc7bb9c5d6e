import type { ListedModel, ModelLister, Target } from '@tallyport/dispatch';

/** The models that servers list, by provider. A server that fails keeps its last list. */
export type ListedModels = ReadonlyMap<string, readonly ListedModel[]>;

interface DiscoveryOptions {
  /** The servers to query now, by provider. */
  servers(): ReadonlyMap<string, Target>;
  lister: ModelLister;
  /** The interval between two queries of one server; 0 disables discovery. */
  everyMs: number;
  /** The delay after the first failure; doubled by each further one, up to `everyMs`. */
  retryMs?: number;
  onListed(listed: ListedModels): void;
  onFailed(provider: string, error: unknown): void;
}

export interface Discovery {
  /** Starts querying servers that are new or have moved, and forgets those that are gone. Returns at once. */
  refresh(): void;
  stop(): Promise<void>;
}

interface WatchedServer {
  target: Target;
  listed?: readonly ListedModel[];
  failures: number;
  timer?: NodeJS.Timeout;
}

const usualRetryMs = 5_000;

/** Queries each server independently, at once and then periodically, so that a slow one does not delay the others. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { servers, lister, everyMs, retryMs = usualRetryMs, onListed, onFailed } = options;
  const watched = new Map<string, WatchedServer>();
  let stopped = false;

  async function ask(provider: string, server: WatchedServer): Promise<void> {
    const isCurrent = (): boolean => !stopped && watched.get(provider) === server;
    try {
      const listed = await lister.list(server.target);
      if (!isCurrent()) return;
      const changed = JSON.stringify(listed) !== JSON.stringify(server.listed);
      server.listed = listed;
      server.failures = 0;
      if (changed) report();
    } catch (error) {
      if (!isCurrent()) return;
      server.failures += 1;
      onFailed(provider, error);
    }
    const waitMs = server.failures === 0 ? everyMs : Math.min(everyMs, retryMs * 2 ** (server.failures - 1));
    if (isCurrent()) server.timer = setTimeout(() => void ask(provider, server), waitMs);
  }

  function report(): void {
    const known = [...watched].flatMap(([provider, { listed }]) =>
      listed === undefined ? [] : [[provider, listed] as const],
    );
    onListed(new Map(known.toSorted(([left], [right]) => (left < right ? -1 : 1))));
  }

  function forget(provider: string): boolean {
    const server = watched.get(provider);
    clearTimeout(server?.timer);
    watched.delete(provider);
    return server?.listed !== undefined;
  }

  return {
    refresh() {
      if (stopped || everyMs === 0) return;
      const now = servers();
      const gone = [...watched].filter(([provider, { target }]) => !isSame(now.get(provider), target));
      const forgotten = gone.map(([provider]) => forget(provider));
      if (forgotten.includes(true)) report();
      for (const [provider, target] of now) {
        if (watched.has(provider)) continue;
        const server: WatchedServer = { target, failures: 0 };
        watched.set(provider, server);
        void ask(provider, server);
      }
    },
    async stop() {
      stopped = true;
      for (const { timer } of watched.values()) clearTimeout(timer);
      await lister.close();
    },
  };
}

/** Compares contents, because targets are rebuilt whenever the catalogue changes. */
const isSame = (one: Target | undefined, other: Target): boolean =>
  one !== undefined &&
  one.origin === other.origin &&
  one.pathPrefix === other.pathPrefix &&
  JSON.stringify(one.headers) === JSON.stringify(other.headers);
