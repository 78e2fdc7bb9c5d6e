import { Pool } from 'undici';
import { createConnector } from './connector.ts';

/** Keep-alive connections, one pool per origin. Origins are configured, so there are few. */
export interface Pools {
  get(origin: string): Pool;
  /** Destroys every connection at once. Streams still open on them fail. */
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
    connect: createConnector({ timeout: connectMs }),
    // A stream owns its connection: leaving it closes one socket, and no other stream waits behind it.
    pipelining: 1,
    allowH2: false,
    // The attempt's timers distinguish content from keep-alives and a slow reader from a slow provider; undici's do
    // not.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Shorter than the idle timeout of common servers, so that they rarely close a connection under a request.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
  });
