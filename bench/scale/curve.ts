/** What one unit of a mechanism costs at a number of replicas. */
export interface Point {
  replicas: number;
  micros: number;
}

/**
 * The cost at any number of replicas, as a power of it between two measured points and beyond the last two: on straight
 * lines, where both axes are logarithmic. Beyond, the power is from 0 to 1, because noise makes a cost seem to fall or to
 * grow faster than anything that a unit could read.
 */
export function costAt(points: readonly Point[], replicas: number): number {
  const next = points.findIndex((point) => point.replicas >= replicas);
  const [before, after] = next === -1 ? points.slice(-2) : points.slice(Math.max(0, next - 1), next + 1);
  if (before === undefined) return Number.NaN;
  if (after === undefined) return before.micros;
  const power = Math.log(after.micros / before.micros) / Math.log(after.replicas / before.replicas);
  if (next !== -1) return before.micros * (replicas / before.replicas) ** power;
  return after.micros * (replicas / after.replicas) ** Math.min(1, Math.max(0, power));
}

/** The largest whole number up to `most` at which the load is at most 1. The load must not fall with the size. */
export function limitOf(loadAt: (size: number) => number, most: number): number {
  let [within, beyond] = [0, most + 1];
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2);
    if (loadAt(middle) <= 1) within = middle;
    else beyond = middle;
  }
  return within;
}

/**
 * How many times faster than the gateway a load grows, as a power of its size: 1 for a load that grows with it, 2 for
 * one that grows with its square.
 */
export const growthBetween = (loadAt: (size: number) => number, small: number, large: number): number =>
  Math.log(loadAt(large) / loadAt(small)) / Math.log(large / small);
