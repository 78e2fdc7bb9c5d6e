import { openMemoryStore } from './memory/memory-store.ts';
import { redisAddress } from './redis/address.ts';
import type { Store, StoreOptions } from './store.ts';

/**
 * Opens a Redis store if there is a URL, else one in memory. Rejects only for an invalid URL: if the server is
 * unavailable, the store keeps connecting in the background.
 */
export async function openStore(options: StoreOptions = {}): Promise<Store> {
  const { url } = options;
  if (url === undefined) return openMemoryStore(options);
  const address = redisAddress(url);
  // Errors never repeat the URL, because it may contain a password.
  if (address === undefined)
    throw new TypeError(
      'The store needs the URL of one Redis, for example redis://host:6379 or rediss://host:6380/0, of its Sentinels: redis+sentinel://host:26379,host:26379/primary, or of some nodes of a cluster, which has no database numbers: redis+cluster://host:6379,host:6379.',
    );
  // Loaded only when it is used.
  const { openRedisStore } = await import('./redis/redis-store.ts');
  return openRedisStore({ ...options, address });
}
