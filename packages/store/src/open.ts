import { openMemoryStore } from './memory/memory-store.ts';
import { openRedisStore } from './redis/redis-store.ts';
import type { Store, StoreOptions } from './store.ts';

/**
 * Opens a Redis store if there is a URL, else one in memory. Rejects only for an invalid URL: if the server is
 * unavailable, the store keeps connecting in the background.
 */
export async function openStore(options: StoreOptions = {}): Promise<Store> {
  const { url } = options;
  if (url === undefined) return openMemoryStore(options);
  if (!isRedisUrl(url))
    throw new TypeError('The store needs a URL, for example redis://host:6379 or rediss://host:6380/0.');
  return openRedisStore({ ...options, url });
}

/** Errors never repeat the URL, because it may contain a password. */
function isRedisUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname } = new URL(url);
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname);
}
