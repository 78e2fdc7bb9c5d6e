import { withDeadline } from '../deadline.ts';
import type { RedisAddress } from './address.ts';
import { createRedisClient, type RedisClient } from './client.ts';

const askLimitMs = 500;

/** The URL of the server to connect to. Sentinels are asked one after the other until one names it. */
export async function locate(address: RedisAddress): Promise<string> {
  if (address.kind === 'server') return address.url;
  const errors: Error[] = [];
  for (const url of address.sentinels) {
    try {
      const [host, port] = await ask(url, address.primary);
      return address.urlAt(host, port);
    } catch (error) {
      errors.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  throw errors.at(-1) ?? new Error('There is no Sentinel.');
}

async function ask(url: string, primary: string): Promise<readonly [host: string, port: number]> {
  const client = createRedisClient(url, askLimitMs);
  client.on('error', () => {});
  try {
    await withDeadline(askLimitMs, client.connect());
    const reply: unknown = await withDeadline(
      askLimitMs,
      client.sendCommand(['SENTINEL', 'get-master-addr-by-name', primary]),
    );
    if (!Array.isArray(reply) || reply.length !== 2) throw new Error('UNKNOWN PRIMARY: the Sentinel does not name it');
    return [String(reply[0]), Number(reply[1])];
  } finally {
    client.destroy();
  }
}

/** A Sentinel may name a server that is a primary no longer, or not yet. */
export async function refuseReplica(client: RedisClient): Promise<void> {
  const reply: unknown = await client.sendCommand(['ROLE']);
  if (Array.isArray(reply) && String(reply[0]) === 'master') return;
  throw new Error('READONLY: the server is a replica');
}
