import type { Store, StoreOptions } from '../store.ts';

/** Opens a store that shares nothing with the others. */
export type Fresh = (options?: StoreOptions) => Promise<Store>;
