/** Sums at a point in time. Each loses half of its value per half-life. */
export interface StoredSums {
  atMs: number;
  values: readonly number[];
}

/** A sum below this counts as zero. */
const negligible = 0.001;

/** The same arithmetic as `redis/accumulate.ts`; a shared suite tests both. If the clock went back, nothing fades. */
export function fade({ atMs, values }: StoredSums, halfLifeMs: number, nowMs: number): number[] {
  const left = 0.5 ** (Math.max(0, nowMs - atMs) / halfLifeMs);
  return values.map((value) => value * left);
}

export const isNothing = (values: readonly number[]): boolean => values.every((value) => Math.abs(value) < negligible);

/** Adds member by member. Missing members of the shorter vector count as 0. */
export const addVectors = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => (one[at] ?? 0) + (other[at] ?? 0));
