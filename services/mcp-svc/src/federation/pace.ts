/** Spreads work over time. */
export interface Pace {
  /** Takes this much, and returns the milliseconds to wait before it may be used. */
  take(cost: number): number;
}

export interface PaceLimits {
  perSecond: number;
  /** What may be taken without waiting after a while of rest. */
  atOnce: number;
}

export function createPace({ perSecond, atOnce }: PaceLimits, now: () => number): Pace {
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
