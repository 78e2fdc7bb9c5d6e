import type { RouteAnswer } from './route.ts';

const maxEntries = 256;
/** Larger answers are not cached, so that the cache stays below 32 MiB of bodies. */
const largestEntryBytes = 128 * 1024;

/** Caches the newest answers by the fingerprint of their question. */
export function createReplyCache() {
  const entries = new Map<string, RouteAnswer>();
  return {
    get: (key: string) => entries.get(key),
    keep: (key: string, entry: RouteAnswer): RouteAnswer => {
      if (sizeOf(entry) > largestEntryBytes) return entry;
      const oldest = entries.keys().next().value;
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
      entries.set(key, entry);
      return entry;
    },
  };
}

function sizeOf({ answer }: RouteAnswer): number {
  if (answer.kind !== 'reply') return 0;
  return answer.pieces.reduce((total, { bytes }) => total + bytes.length, 0);
}
