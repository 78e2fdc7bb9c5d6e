import type { Store } from '@switchyard/store';

/** A store as it is seen over a network: what is asked may wait, or get lost on the way there or back. */
export interface Line {
  /** At the near end. */
  store: Store;
  /** Questions wait from now on. */
  hold(): void;
  release(): void;
  /** Questions get lost, and that is known at once. */
  cut(): void;
  /** Questions arrive, answers do not. */
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
