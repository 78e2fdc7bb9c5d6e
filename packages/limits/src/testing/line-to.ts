import type { Store } from '@tallyport/store';

/** A store behind a simulated network: calls may wait, or get lost in either direction. */
interface Line {
  /** The store as the caller sees it. */
  store: Store;
  /** Calls wait from now on. */
  hold(): void;
  release(): void;
  /** Calls fail at once. */
  cut(): void;
  /** Calls reach the store, but their answers are lost. */
  loseAnswers(): void;
  mend(): void;
}

export function lineTo(to: Store): Line {
  let state: 'good' | 'cut' | 'answers lost' = 'good';
  let held: (() => void)[] | undefined;

  const store: Store = {
    ...to,
    async spend(key, rule) {
      if (held) await new Promise<void>((resolve) => held?.push(resolve));
      if (state === 'cut') return undefined;
      const spent = await to.spend(key, rule);
      return state === 'good' ? spent : undefined;
    },
    state: () => (state === 'good' ? to.state() : { connected: false, error: 'the line is cut' }),
  };

  return {
    store,
    hold: () => void (held ??= []),
    release() {
      const waiting = held ?? [];
      held = undefined;
      for (const answer of waiting) answer();
    },
    cut: () => void (state = 'cut'),
    loseAnswers: () => void (state = 'answers lost'),
    mend: () => void (state = 'good'),
  };
}
