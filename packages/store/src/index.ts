export { openMemoryStore } from './memory/memory-store.ts';
export { openStore } from './open.ts';
export { countedIn, type SlidingWindow, spendFrom } from './sliding-window.ts';
export type * from './store.ts';
