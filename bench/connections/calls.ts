import { Agent, request as requestOverTls } from 'node:https';
import {
  type ConnectionUse,
  connectionUses,
  createPools,
  openUpstream,
  readAll,
} from '../../packages/outbound/src/index.ts';

const body = JSON.stringify({ model: 'far', messages: [{ role: 'user', content: 'Hello'.repeat(100) }] });
const headers = { 'content-type': 'application/json', accept: 'application/json' };
const maxBytes = 1_000_000;

let requests = 0;

/** Calls of one vendor. */
export interface Calls {
  /** Resolves with the milliseconds that one call took. Rejects if it failed. */
  call(): Promise<number>;
  /** Connections of the calls so far. */
  uses: Record<ConnectionUse, number>;
  close(): Promise<void>;
}

/** As chat-svc calls it. */
export function callsOf(port: number): Calls {
  const pools = createPools({ connectMs: 5_000 });
  const uses = Object.fromEntries(connectionUses.map((use) => [use, 0])) as Calls['uses'];
  const origin = `https://localhost:${port}`;
  return {
    uses,
    async call() {
      const startedAt = performance.now();
      const path = `/${(requests += 1)}`;
      const call = openUpstream(pools, { origin, path, method: 'POST', headers, body }, { maxBytes });
      await call.head();
      const use = call.connectionUse();
      if (use !== undefined) uses[use] += 1;
      await readAll(call);
      return performance.now() - startedAt;
    },
    close: () => pools.close(),
  };
}

/** Over connections that are open before and never closed: the least that a call can take. */
export async function directCallsOf(port: number, connections: number): Promise<Omit<Calls, 'uses'>> {
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });
  const call = async (): Promise<number> => {
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sent = requestOverTls(
      { host: 'localhost', port, agent, method: 'POST', path: `/${(requests += 1)}`, headers },
      (response) => response.resume().on('end', resolve).on('error', reject),
    );
    sent.on('error', reject).end(body);
    await promise;
    return performance.now() - startedAt;
  };
  await Promise.all(Array.from({ length: connections }, call));
  return { call, close: async () => agent.destroy() };
}
