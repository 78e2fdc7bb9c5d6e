import { createCachedLookup } from '../names/cached-lookup.ts';
import { createConnector } from './connector.ts';
import { OriginPool } from './origin-pool.ts';
import { createRoundTrip } from './round-trip.ts';

/** Keep-alive connections, one pool per origin. Origins are configured, so there are few. */
export interface Pools {
  get(origin: string): OriginPool;
  /** Destroys every connection at once. Streams still open on them fail. */
  close(): Promise<void>;
}

export function createPools({ connectMs }: { connectMs: number }): Pools {
  const names = createCachedLookup();
  const pools = new Map<string, OriginPool>();
  return {
    get(origin) {
      let pool = pools.get(origin);
      if (pool === undefined) {
        const roundTrip = createRoundTrip();
        const connect = createConnector({ timeoutMs: connectMs, names, roundTrip });
        pool = new OriginPool(origin, { connect, roundTrip });
        pools.set(origin, pool);
      }
      return pool;
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.destroy()));
    },
  };
}
