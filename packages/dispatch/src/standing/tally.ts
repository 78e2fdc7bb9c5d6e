/** What is counted of an offer, as sums that fade. */
export interface Tally {
  /** Answers. */
  good: number;
  /** Faults that were the provider's. */
  bad: number;
  /** Of streams, up to their first content. */
  latencyMs: number;
  latencies: number;
  /** Made by answers, and the time they took. */
  tokens: number;
  answeringMs: number;
}

export const emptyTally: Tally = { good: 0, bad: 0, latencyMs: 0, latencies: 0, tokens: 0, answeringMs: 0 };

/** As the store keeps it. The order is what all replicas share: only ever append. */
export const toVector = (tally: Tally): number[] => [
  tally.good,
  tally.bad,
  tally.latencyMs,
  tally.latencies,
  tally.tokens,
  tally.answeringMs,
];

/** What another version of us left out counts as nothing. */
export function fromVector(vector: readonly number[]): Tally {
  const [good = 0, bad = 0, latencyMs = 0, latencies = 0, tokens = 0, answeringMs = 0] = vector;
  return { good, bad, latencyMs, latencies, tokens, answeringMs };
}

export const addTallies = (one: Tally, other: Partial<Tally>): Tally => ({
  good: one.good + (other.good ?? 0),
  bad: one.bad + (other.bad ?? 0),
  latencyMs: one.latencyMs + (other.latencyMs ?? 0),
  latencies: one.latencies + (other.latencies ?? 0),
  tokens: one.tokens + (other.tokens ?? 0),
  answeringMs: one.answeringMs + (other.answeringMs ?? 0),
});

/** What is left of it after a time; before a time that is to come it weighs more. */
export function fadeTally(tally: Tally, elapsedMs: number, halfLifeMs: number): Tally {
  if (elapsedMs === 0) return tally;
  const left = 0.5 ** (elapsedMs / halfLifeMs);
  return {
    good: tally.good * left,
    bad: tally.bad * left,
    latencyMs: tally.latencyMs * left,
    latencies: tally.latencies * left,
    tokens: tally.tokens * left,
    answeringMs: tally.answeringMs * left,
  };
}
