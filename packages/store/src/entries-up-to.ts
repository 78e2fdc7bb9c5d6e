/**
 * Bounds an LRU cache by its entries. Unlike `max`, for which the cache allocates and fills arrays of that length when
 * it is created, this takes memory as entries are added.
 */
export const entriesUpTo = (most: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: most,
  sizeCalculation: () => 1,
});
