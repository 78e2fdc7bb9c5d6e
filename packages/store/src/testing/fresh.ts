import type { Store, StoreOptions } from '../store.ts';

/** Opens a store that shares nothing with other stores. */
export type Fresh = (options?: StoreOptions) => Promise<Store>;
