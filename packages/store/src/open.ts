import { openMemoryStore } from './memory/memory-store.ts';
import { openRedisStore } from './redis/redis-store.ts';
import type { Store, StoreOptions } from './store.ts';

/**
 * With a URL the Redis side, else this process's memory. Fails only for a URL that is none: a server that is away is
 * connected to in the background, for as long as it takes.
 */
export async function openStore(options: StoreOptions = {}): Promise<Store> {
  const { url } = options;
  if (url === undefined) return openMemoryStore(options);
  if (!isRedisUrl(url)) throw new TypeError('The store needs a URL such as redis://host:6379 or rediss://host:6380/0.');
  return openRedisStore({ ...options, url });
}

/** The URL itself is never repeated in an error: it may hold a password. */
function isRedisUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname } = new URL(url);
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname);
}
