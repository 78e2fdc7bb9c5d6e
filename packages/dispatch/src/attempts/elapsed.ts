/** Microseconds are enough for a person and short in JSON. */
export const millisecondsSince = (startedAt: number): number =>
  Math.round((performance.now() - startedAt) * 1000) / 1000;
