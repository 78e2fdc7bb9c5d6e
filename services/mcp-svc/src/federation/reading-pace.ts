/** Spreads work over time. */
export interface ReadingPace {
  /** Takes this much, and returns the milliseconds to wait before it may be used. */
  take(cost: number): number;
}

interface ReadingPaceLimits {
  perSecond: number;
  /** What may be taken without waiting after a while of rest. */
  atOnce: number;
}

export function createReadingPace({ perSecond, atOnce }: ReadingPaceLimits, now: () => number): ReadingPace {
  /** When all that was taken has been earned. */
  let paidAt = -Infinity;
  return {
    take(cost) {
      const at = now();
      paidAt = Math.max(paidAt, at) + (cost / perSecond) * 1000;
      return Math.max(0, paidAt - at - (atOnce / perSecond) * 1000);
    },
  };
}
