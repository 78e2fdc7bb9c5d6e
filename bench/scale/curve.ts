/** What one unit of a mechanism costs at a number of replicas. */
export interface Point {
  replicas: number;
  micros: number;
}

/** A cost of `fixed + perReplica × replicas`, in microseconds. */
export interface Line {
  fixed: number;
  perReplica: number;
}

/** The line of the smallest sum of squared relative errors: a point of 20 µs counts as much as one of 5,000. */
export function fitLine(points: readonly Point[]): Line {
  let [weights, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (const { replicas, micros } of points) {
    const weight = 1 / micros ** 2;
    weights += weight;
    x += weight * replicas;
    y += weight * micros;
    xx += weight * replicas ** 2;
    xy += weight * replicas * micros;
  }
  const spread = weights * xx - x ** 2;
  const slope = spread > 0 ? (weights * xy - x * y) / spread : 0;
  // Noise must not make a cost fall with the number of replicas, or be negative for a few of them.
  if (slope <= 0) return { fixed: y / weights, perReplica: 0 };
  const fixed = (y - slope * x) / weights;
  return fixed >= 0 ? { fixed, perReplica: slope } : { fixed: 0, perReplica: xy / xx };
}

export const costAt = ({ fixed, perReplica }: Line, replicas: number): number => fixed + perReplica * replicas;

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
