interface RunningCounts {
  count(name: string): number;
  add(name: string, change: number): void;
}

/** How much runs at once, by name. Contains only names with something running. */
export function createRunningCounts(): RunningCounts {
  const counts = new Map<string, number>();
  const count = (name: string): number => counts.get(name) ?? 0;
  return {
    count,
    add(name, change) {
      const left = count(name) + change;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    },
  };
}
