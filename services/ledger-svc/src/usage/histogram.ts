/** Buckets per doubling. Each is 19 % wide, which bounds the error of a percentile read from them. */
const perDoubling = 4;

/** The SQL of the bucket of a value, of which everything below 1 is in the first. */
export const bucketOf = (value: string): string =>
  `floor(${perDoubling} * ln(greatest(${value}, 1)) / ln(2::double precision))::int`;

const lowerBound = (bucket: number): number => 2 ** (bucket / perDoubling);

/** The number of values by bucket. */
type Histogram = ReadonlyMap<number, number>;

interface Percentiles {
  count: number;
  p50: number;
  p95: number;
}

/** `undefined` without values. */
export function percentilesOf(histogram: Histogram): Percentiles | undefined {
  const buckets = [...histogram].toSorted(([one], [other]) => one - other);
  const count = buckets.reduce((sum, [, values]) => sum + values, 0);
  if (count === 0) return undefined;
  return { count, p50: quantile(buckets, count * 0.5), p95: quantile(buckets, count * 0.95) };
}

/** The value that has `below` values below it, as if those of a bucket were spread evenly. */
function quantile(buckets: readonly (readonly [number, number])[], below: number): number {
  let passed = 0;
  for (const [bucket, values] of buckets) {
    if (passed + values >= below) {
      const [from, until] = [lowerBound(bucket), lowerBound(bucket + 1)];
      return rounded(from + ((until - from) * (below - passed)) / values);
    }
    passed += values;
  }
  return 0;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** A histogram of the database as text: an array whose subscript is the bucket, for example `[27:29]={3,NULL,1}`. */
export function readHistogram(text: string): Histogram {
  const histogram = new Map<number, number>();
  add(histogram, text, 1);
  return histogram;
}

/** Adds histograms of the database up, or subtracts those with a negative sign. */
export function sumHistograms(all: readonly { histogram: string; sign: number }[]): Histogram {
  const sum = new Map<number, number>();
  for (const { histogram, sign } of all) add(sum, histogram, sign);
  return sum;
}

const [zero, nine, comma] = ['0', '9', ','].map((character) => character.charCodeAt(0)) as [number, number, number];

/** Reads one character after another, because a page adds thousands of histograms up. */
function add(sum: Map<number, number>, text: string, sign: number): void {
  const start = text.indexOf('{') + 1;
  const end = text.length - 1;
  if (start >= end) return;
  let bucket = start === 1 ? 1 : Number.parseInt(text.slice(1), 10);
  let values = 0;
  for (let at = start; at <= end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= zero && code <= nine) values = values * 10 + code - zero;
    else if (code === comma || at === end) {
      sum.set(bucket, (sum.get(bucket) ?? 0) + sign * values);
      bucket += 1;
      values = 0;
    }
  }
}
