import type { Target } from '../targets/targets.ts';

/** Which of a provider's keys are left out for a while because the provider refused them. */
export interface KeyBench {
  /** The first that is neither benched nor among those tried; with `anyway` the one that is free soonest, rather than none. */
  next(targets: readonly Target[], tried: ReadonlySet<Target>, options?: { anyway: boolean }): Target | undefined;
  bench(target: Target, forMs: number): void;
}

/** `now` never goes back. Targets live as long as the configuration, and so does what is remembered of them. */
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
