import type { Store } from './store.ts';

/** For callers to whom a value that cannot be read now is not missing: `get` throws this error then. */
export const knownValues = (store: Pick<Store, 'find'>, unavailable: () => Error): Pick<Store, 'get'> => ({
  async get(key) {
    const found = await store.find(key);
    if (found === 'unknown') throw unavailable();
    return found === 'none' ? undefined : found;
  },
});
