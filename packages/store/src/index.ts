export { openMemoryStore } from './memory/memory-store.ts';
export { openStore } from './open.ts';
export type * from './store.ts';
