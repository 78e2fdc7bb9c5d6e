export const hourMs = 3_600_000;

/** The last hours, of which the current one is the first. */
export function lastHours(hours: number, now: Date): { from: Date; until: Date } {
  const current = now.getTime() - (now.getTime() % hourMs);
  return { from: new Date(current - (hours - 1) * hourMs), until: new Date(current + hourMs) };
}
