import type { Target } from '../targets/targets.ts';

/** Benches a provider's keys for a while after the provider refused them. */
export interface KeyBench {
  /** The first key neither benched nor tried. With `anyway`, falls back to the untried key that is free soonest. */
  next(targets: readonly Target[], tried: readonly Target[], options?: { anyway: boolean }): Target | undefined;
  bench(target: Target, forMs: number): void;
}

/** `now` must be monotonic. Targets live as long as the configuration, and so do their entries here. */
export function createKeyBench(now: () => number): KeyBench {
  const benchedUntil = new WeakMap<Target, number>();
  function waitOf(target: Target): number {
    const until = benchedUntil.get(target);
    return until === undefined ? 0 : Math.max(0, until - now());
  }
  return {
    next(targets, tried, { anyway } = { anyway: false }) {
      let soonest: Target | undefined;
      for (const target of targets) {
        if (tried.includes(target)) continue;
        if (waitOf(target) === 0) return target;
        if (soonest === undefined || waitOf(target) < waitOf(soonest)) soonest = target;
      }
      return anyway ? soonest : undefined;
    },
    bench: (target, forMs) => void benchedUntil.set(target, now() + forMs),
  };
}
