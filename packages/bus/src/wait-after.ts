import type { ConsumeOptions } from './link.ts';

/**
 * A batch has a fixed cost beside that of its entries. When batches take long, few large ones cost less: unless the
 * longest wait is reached, handling them takes a fiftieth of the time.
 */
const multiple = 50;

/** How long an incomplete batch waits for more entries, when the last batch took `handledMs`. */
export function waitAfter(handledMs: number, { gatherMs = 0, maxGatherMs = gatherMs }: ConsumeOptions = {}): number {
  return Math.min(Math.max(gatherMs, handledMs * multiple), maxGatherMs);
}
