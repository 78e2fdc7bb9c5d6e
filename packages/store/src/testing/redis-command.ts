import { Redis } from 'ioredis';

/** Sends one command to a server, over a connection of its own. */
export async function redisCommand(url: string, [name = '', ...words]: readonly string[]): Promise<unknown> {
  const client = new Redis(url, { enableReadyCheck: false });
  try {
    return await client.call(name, ...words);
  } finally {
    client.disconnect();
  }
}
