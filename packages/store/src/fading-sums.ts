/** Sums as they were at a time; half of each is gone after `halfLifeMs`. */
export interface StoredSums {
  atMs: number;
  values: readonly number[];
}

/** What has faded below this is nothing. */
const nothing = 0.001;

/** The same arithmetic as `redis/accumulate.ts`; one suite holds them together. A clock that went back fades nothing. */
export function fade({ atMs, values }: StoredSums, halfLifeMs: number, nowMs: number): number[] {
  const left = 0.5 ** (Math.max(0, nowMs - atMs) / halfLifeMs);
  return values.map((value) => value * left);
}

export const isNothing = (values: readonly number[]): boolean => values.every((value) => Math.abs(value) < nothing);

/** Member by member; the longer one keeps its tail. */
export const addVectors = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => (one[at] ?? 0) + (other[at] ?? 0));
