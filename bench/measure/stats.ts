export interface Quantiles {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/** Collects up to `limit` values and ignores later ones, so the limit must exceed the values of a case. */
interface Samples {
  add(value: number): void;
  clear(): void;
  quantiles(): Quantiles;
}

export function createSamples(limit = 2_000_000): Samples {
  let values = new Float64Array(1024);
  let count = 0;
  return {
    add(value) {
      if (count === limit) return;
      if (count === values.length) values = enlarge(values);
      values[count++] = value;
    },
    clear() {
      count = 0;
    },
    quantiles: () => quantilesOf(values.subarray(0, count)),
  };
}

export function quantilesOf(values: Float64Array): Quantiles {
  const sorted = values.slice().sort();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] ?? 0;
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function enlarge(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}
