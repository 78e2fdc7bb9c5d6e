import type { Tally } from './tally.ts';

export interface Uptime {
  /** As observed; `undefined` without samples. */
  ratio: number | undefined;
  /** With the presumed successes; between the bounds. */
  expected: number;
  /** A lower bound of the true uptime. Routing uses this one. */
  lower: number;
  upper: number;
  /** The number of attempts, faded: older ones count less. */
  samples: number;
}

/** One standard deviation: in five of six cases the true uptime is above the lower bound. */
const z = 1;

/**
 * Wilson's bounds of the observed uptime, plus a number of presumed successes: an untried offer counts as good, one
 * failure does not condemn it, and with much data the presumption is negligible.
 */
export function uptimeOf(tally: Pick<Tally, 'good' | 'bad'>, presumed: number): Uptime {
  const good = Math.max(0, tally.good);
  const bad = Math.max(0, tally.bad);
  const samples = good + bad;
  const n = samples + presumed;
  const p = n === 0 ? 1 : (good + presumed) / n;
  const denominator = 1 + (z * z) / n;
  const centre = (p + (z * z) / (2 * n)) / denominator;
  const spread = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / denominator;
  return {
    ratio: samples < leastSamples ? undefined : good / samples,
    expected: p,
    lower: n === 0 ? 0 : Math.max(0, centre - spread),
    upper: n === 0 ? 1 : Math.min(1, Math.max(p, centre + spread)),
    samples,
  };
}

/** Less than this counts as no samples. */
const leastSamples = 0.01;
