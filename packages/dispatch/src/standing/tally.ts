/** What is counted for an offer, as sums that fade. */
export interface Tally {
  /** Successes. */
  good: number;
  /** Failures that were the provider's fault. */
  bad: number;
  /** Of streams, until their first content. */
  latencyMs: number;
  latencies: number;
  /** Tokens of complete answers, and the time those took. */
  tokens: number;
  answeringMs: number;
}

export const emptyTally = (): Tally => ({ good: 0, bad: 0, latencyMs: 0, latencies: 0, tokens: 0, answeringMs: 0 });

/** The form of the store. All replicas share this order: only ever append. */
export const toVector = (tally: Tally): number[] => [
  tally.good,
  tally.bad,
  tally.latencyMs,
  tally.latencies,
  tally.tokens,
  tally.answeringMs,
];

/** Missing values, from replicas of another version, count as zero. */
export function fromVector(vector: readonly number[]): Tally {
  const [good = 0, bad = 0, latencyMs = 0, latencies = 0, tokens = 0, answeringMs = 0] = vector;
  return { good, bad, latencyMs, latencies, tokens, answeringMs };
}

/** Adds the other tally, at a weight, to the sum. */
export function addTo(sum: Tally, other: Partial<Tally>, weight = 1): void {
  sum.good += (other.good ?? 0) * weight;
  sum.bad += (other.bad ?? 0) * weight;
  sum.latencyMs += (other.latencyMs ?? 0) * weight;
  sum.latencies += (other.latencies ?? 0) * weight;
  sum.tokens += (other.tokens ?? 0) * weight;
  sum.answeringMs += (other.answeringMs ?? 0) * weight;
}

/** The part of a weight that remains after the elapsed time. A negative time increases it. */
export const weightAfter = (elapsedMs: number, halfLifeMs: number): number => 0.5 ** (elapsedMs / halfLifeMs);

/** Leaves this share of the sums. */
export function scale(sum: Tally, share: number): void {
  sum.good *= share;
  sum.bad *= share;
  sum.latencyMs *= share;
  sum.latencies *= share;
  sum.tokens *= share;
  sum.answeringMs *= share;
}
