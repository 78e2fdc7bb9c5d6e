import type { RouteAnswer } from './route.ts';

const mostEntries = 256;
/** Larger answers are made anew each time, so the cache stays below 32 MiB of bodies. */
const largestEntryBytes = 128 * 1024;

/** Keeps the newest answers by the fingerprint of their question. */
export function createReplyCache() {
  const entries = new Map<string, RouteAnswer>();
  return {
    get: (key: string) => entries.get(key),
    keep: (key: string, entry: RouteAnswer): RouteAnswer => {
      if (sizeOf(entry) > largestEntryBytes) return entry;
      const oldest = entries.keys().next().value;
      if (entries.size >= mostEntries && oldest !== undefined) entries.delete(oldest);
      entries.set(key, entry);
      return entry;
    },
  };
}

function sizeOf({ answer }: RouteAnswer): number {
  if (answer.kind !== 'reply') return 0;
  return answer.pieces.reduce((total, { bytes }) => total + bytes.length, 0);
}
