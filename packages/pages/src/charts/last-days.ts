const dayMs = 86_400_000;

/** The last days by UTC, including today, the oldest first. */
export const lastDays = (count: number, now: number): string[] =>
  Array.from({ length: count }, (_, at) => new Date(now - (count - 1 - at) * dayMs).toISOString().slice(0, 10));
