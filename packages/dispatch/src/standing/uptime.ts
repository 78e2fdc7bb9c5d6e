import type { Tally } from './tally.ts';

export interface Uptime {
  /** As seen; `undefined` without samples. */
  ratio: number | undefined;
  /** What it is with good confidence at least. Routing goes by this. */
  lower: number;
  upper: number;
  /** Attempts that count, faded: from long ago they count less. */
  samples: number;
}

/** One standard deviation: five times out of six the truth is above the lower bound. */
const z = 1;

/**
 * Wilson's bounds on what was seen, together with so many answers that are presumed: an offer that nobody has tried is
 * innocent, one failure does not condemn it, and with much data the presumption vanishes.
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
    lower: n === 0 ? 0 : Math.max(0, centre - spread),
    upper: n === 0 ? 1 : Math.min(1, centre + spread),
    samples,
  };
}

/** Fainter than this is no memory any more. */
const leastSamples = 0.01;
