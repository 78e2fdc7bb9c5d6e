import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './client.ts';
import { slotOf } from './slot.ts';

/** Which server has which keys. Names of servers are only compared. */
export interface Topology {
  serverOf(key: string): string;
  /** All servers that have keys. */
  servers(): ReadonlySet<string>;
  /** Resolves when all of them have answered. */
  ping(): Promise<unknown>;
  /** Closes the connection to a server that does not answer. The library opens another one. */
  drop(server: string, cause: Error): void;
}

export function topologyOf(client: RedisClient): Topology {
  return client instanceof Cluster ? clusterTopology(client) : singleServer(client);
}

function singleServer(client: Redis): Topology {
  const servers = new Set(['server']);
  return {
    serverOf: () => 'server',
    servers: () => servers,
    ping: () => client.ping(),
    drop: (_, cause) => client.stream.destroy(cause),
  };
}

function clusterTopology(client: Cluster): Topology {
  /** Of the node that the library sends commands for the slot to; it keeps these up to date. */
  const serverOf = (slot: number) => client.slots[slot]?.[0] ?? 'none';
  const servers = () => new Set(client.slots.map((_, slot) => serverOf(slot)));
  const nodeOf = (server: string) =>
    client.nodes('master').find(({ options }) => `${options.host}:${options.port}` === server);
  const ping = async (server: string) => {
    const node = nodeOf(server);
    if (!node) throw new Error('Connection is closed.');
    return node.ping();
  };
  return {
    serverOf: (key) => serverOf(slotOf(key)),
    servers,
    ping: () => Promise.all([...servers()].map(ping)),
    drop: (server, cause) => nodeOf(server)?.stream?.destroy(cause),
  };
}
