export { type AccountValues, createAccountValues } from './account-values.ts';
export { type ByteQuota, createByteQuota, type QuotaShare } from './byte-quota.ts';
export { entriesUpTo } from './entries-up-to.ts';
export { knownValues } from './known-values.ts';
export { openMemoryStore } from './memory/memory-store.ts';
export { openStore } from './open.ts';
export { dropPieces, pieceBytes, type Pieces, readPieces, writePieces } from './pieces.ts';
export { type SlidingWindow, spendFrom } from './sliding-window.ts';
export type * from './store.ts';
