import { Pool } from 'undici';

/** Kept connections, one pool per origin. Origins come from configuration, so there are few. */
export interface Pools {
  get(origin: string): Pool;
  /** Ends every connection at once. Streams still open on them fail. */
  close(): Promise<void>;
}

export function createPools(options: { connectMs: number }): Pools {
  const pools = new Map<string, Pool>();
  return {
    get(origin) {
      let pool = pools.get(origin);
      if (pool === undefined) {
        pool = createPool(origin, options.connectMs);
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

const createPool = (origin: string, connectMs: number): Pool =>
  new Pool(origin, {
    connect: { timeout: connectMs },
    // A stream owns its connection: leaving one is closing one socket, and no stream waits behind another's.
    pipelining: 1,
    allowH2: false,
    // The attempt's own timers know what is content and when a slow reader is to blame; undici's do not.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Shorter than what common servers allow an idle connection, so that they rarely close it under our request.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
  });
