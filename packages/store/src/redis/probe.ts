import type { RedisClient } from './client.ts';
import type { Topology } from './topology.ts';

interface ProbeOptions {
  client: RedisClient;
  topology: Topology;
  prefix: string;
  isReady: () => boolean;
}

const keptMs = 10_000;
/** A node for which none of these keys is found has too few keys to matter. */
const mostTries = 2_000;

/** Writes to a server, because one that is full, read-only or still loading answers PING normally. */
export function createProbe({ client, topology, prefix, isReady }: ProbeOptions): (server: string) => Promise<void> {
  const keys = new Map<string, string>();

  const keyAt = (server: string): string | undefined => {
    const known = keys.get(server);
    if (known !== undefined && topology.serverOf(known) === server) return known;
    keys.delete(server);
    for (let number = 0; number < mostTries; number += 1) {
      const key = `${prefix}probe:${number}`;
      if (topology.serverOf(key) !== server) continue;
      keys.set(server, key);
      return key;
    }
    return undefined;
  };

  return async (server) => {
    if (!isReady()) throw new Error('Connection is closed.');
    const key = keyAt(server);
    if (key !== undefined) await client.set(key, '1', 'PX', keptMs);
  };
}
