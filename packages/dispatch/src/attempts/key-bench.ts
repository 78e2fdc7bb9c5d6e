import type { Target } from '../targets/targets.ts';

/** Benches a provider's keys for a while after the provider refused them. */
export interface KeyBench {
  /** The first key neither benched nor tried. With `anyway`, falls back to the untried key that is free soonest. */
  next(targets: readonly Target[], tried: ReadonlySet<Target>, options?: { anyway: boolean }): Target | undefined;
  bench(target: Target, forMs: number): void;
}

/** `now` must be monotonic. Targets live as long as the configuration, and so do their entries here. */
export function createKeyBench(now: () => number): KeyBench {
  const benchedUntil = new WeakMap<Target, number>();
  const waitOf = (target: Target) => Math.max(0, (benchedUntil.get(target) ?? 0) - now());
  return {
    next(targets, tried, { anyway } = { anyway: false }) {
      const untried = targets.filter((target) => !tried.has(target));
      const free = untried.find((target) => waitOf(target) === 0);
      if (free !== undefined || !anyway) return free;
      return untried.toSorted((left, right) => waitOf(left) - waitOf(right))[0];
    },
    bench: (target, forMs) => void benchedUntil.set(target, now() + forMs),
  };
}
