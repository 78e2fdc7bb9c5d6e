/** A requester waits longer than this before it gives up or tries another replica. */
const freshMs = 1_000;

/**
 * Whether a request may start without asking its requester first, because it is younger than any requester's wait. The
 * age is measured with two clocks; if they differ by more than that, the only cost is the question. Older versions send
 * no `sentAt`.
 */
export function isFresh(
  { sentAt, timeoutMs }: { sentAt?: number | undefined; timeoutMs: number },
  now: number,
): boolean {
  return sentAt === undefined || Math.abs(now - sentAt) <= Math.min(freshMs, timeoutMs);
}
