/** The largest of the numbers that were noted lately. */
interface RecentMost {
  note(value: number): void;
  value(): number;
}

/** A number counts for at least this time, and for less than twice as long. */
export function createRecentMost(countsMs: number): RecentMost {
  let since = performance.now();
  let before = 0;
  let current = 0;
  const turn = (): void => {
    const spans = Math.floor((performance.now() - since) / countsMs);
    if (spans === 0) return;
    before = spans === 1 ? current : 0;
    current = 0;
    since += spans * countsMs;
  };
  return {
    note(value) {
      turn();
      current = Math.max(current, value);
    },
    value() {
      turn();
      return Math.max(before, current);
    },
  };
}
