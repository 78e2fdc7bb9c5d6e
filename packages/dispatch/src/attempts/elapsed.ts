/** Milliseconds, rounded to microseconds to stay short in JSON. */
export const millisecondsSince = (startedAt: number): number =>
  Math.round((performance.now() - startedAt) * 1000) / 1000;
