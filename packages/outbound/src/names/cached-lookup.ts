import { ADDRCONFIG, type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { resolve4, resolve6 } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** `dns.lookup` with `all: true`. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

interface CachedLookupOptions {
  lookup?: Lookup;
  /** How long the addresses of a name hold, in seconds. Rejects if no name server knows. */
  lifetimeOf?: (hostname: string) => Promise<number>;
  now?: () => number;
}

export interface CachedLookup {
  lookup: Lookup;
  /** Call if no address of a name can be connected to. Returns whether they had been remembered from before. */
  forget(hostname: string): boolean;
}

interface KnownName {
  addresses: LookupAddress[];
  staleAt: number;
  wasReused: boolean;
}

const mostNames = 1_000;
const shortestMs = 5_000;
const longestMs = 300_000;
/** For names that the system knows from elsewhere, such as its file of hosts. */
const otherwiseMs = 30_000;

/**
 * Remembers the addresses that the system finds, for the lifetime that name servers give them. The system is asked for
 * addresses because it also knows its file of hosts and the domains to search, but it reports no lifetimes. Stale
 * addresses are used while they are looked up again, for five minutes at most.
 */
export function createCachedLookup(options: CachedLookupOptions = {}): CachedLookup {
  const { lookup = systemLookup, lifetimeOf = lifetimeInSeconds, now = () => performance.now() } = options;
  const names = new LRUCache<string, KnownName>({ max: mostNames });
  const running = new Map<string, Promise<LookupAddress[]>>();

  function remember(hostname: string, addresses: LookupAddress[]): void {
    const known: KnownName = { addresses, staleAt: now() + otherwiseMs, wasReused: false };
    names.set(hostname, known);
    const setLifetime = (seconds: number): void => {
      known.staleAt = now() + Math.min(Math.max(seconds * 1_000, shortestMs), longestMs);
    };
    lifetimeOf(hostname).then(setLifetime, () => undefined);
  }

  function find(hostname: string): Promise<LookupAddress[]> {
    const before = running.get(hostname);
    if (before !== undefined) return before;
    const finding = new Promise<LookupAddress[]>((resolve, reject) => {
      lookup(hostname, { all: true, hints: ADDRCONFIG }, (error, addresses) => {
        if (error !== null) return reject(error);
        remember(hostname, addresses);
        resolve(addresses);
      });
    });
    running.set(hostname, finding);
    const ended = (): void => void running.delete(hostname);
    finding.then(ended, ended);
    return finding;
  }

  return {
    lookup(hostname, _options, callback) {
      const known = names.get(hostname);
      if (known === undefined || now() > known.staleAt + longestMs) {
        find(hostname).then(
          (addresses) => process.nextTick(callback, null, addresses),
          (error) => process.nextTick(callback, error, []),
        );
        return;
      }
      if (now() > known.staleAt) find(hostname).catch(() => undefined);
      known.wasReused = true;
      process.nextTick(callback, null, known.addresses);
    },
    forget(hostname) {
      const known = names.get(hostname);
      names.delete(hostname);
      return known?.wasReused === true;
    },
  };
}

/** In the form that sockets call: with `all`, or for the first address alone. */
export const lookupForNode =
  (lookup: Lookup) =>
  (hostname: string, options: LookupOptions, callback: NodeCallback): void =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses;
      if (options.all === true || first === undefined) callback(error, addresses);
      else callback(error, first.address, first.family);
    });

type NodeCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

async function lifetimeInSeconds(hostname: string): Promise<number> {
  const answers = await Promise.allSettled([resolve4(hostname, { ttl: true }), resolve6(hostname, { ttl: true })]);
  const lifetimes = answers
    .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    .map(({ ttl }) => ttl);
  if (lifetimes.length === 0) throw new Error(`no name server knows ${hostname}`);
  return Math.min(...lifetimes);
}
