/** The rate of an event over the last 50 ms or so. */
interface Pace {
  /** Counts one event. */
  count(): void;
  perMs(): number;
}

const windowMs = 50;

export function createPace(): Pace {
  let counted = 0;
  let windowStart = 0;
  let perMs = 0;
  return {
    count: () => void counted++,
    perMs() {
      const now = performance.now();
      if (now - windowStart > windowMs) {
        perMs = counted / (now - windowStart);
        counted = 0;
        windowStart = now;
      }
      return perMs;
    },
  };
}
