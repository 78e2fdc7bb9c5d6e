import { Histogram } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

/** What was observed of one label set. */
interface CountedSeries {
  readonly labels: Labels;
  /** Observations per bucket, not added up. The last bucket is beyond all bounds. */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram of the library that counts in plain numbers of its own: the library builds a key of all labels at every
 * observation, which costs several times as much as counting.
 */
export class CountedHistogram extends Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #series: CountedSeries[] = [];

  constructor(options: ConstructorParameters<typeof Histogram>[0] & { buckets: number[] }) {
    super(options);
    this.#name = options.name;
    this.#help = options.help;
    this.#bounds = options.buckets;
  }

  /** The series of a label set that has none yet. */
  add(labels: Labels): { observe(value: number): void } {
    const bounds = this.#bounds;
    const counted: CountedSeries = { labels, counts: [...bounds, Infinity].map(() => 0), sum: 0 };
    this.#series.push(counted);
    return {
      observe(value) {
        if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be observed.`);
        let bucket = 0;
        while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1;
        counted.counts[bucket]! += 1;
        counted.sum += value;
      },
    };
  }

  /** The library reads the values of its own class here, both for the text and for `get`. */
  async getForPromString() {
    return {
      name: this.#name,
      help: this.#help,
      type: 'histogram',
      aggregator: 'sum',
      values: this.#series.flatMap((counted) => this.#valuesOf(counted)),
    };
  }

  /** As the library would export them: a series appears with its first observation. */
  #valuesOf({ labels: sharedLabels, counts, sum }: CountedSeries) {
    let count = 0;
    const buckets = counts.map((observed, index) => {
      count += observed;
      return {
        labels: { le: this.#bounds[index] ?? '+Inf' },
        sharedLabels,
        value: count,
        metricName: `${this.#name}_bucket`,
      };
    });
    if (count === 0) return [];
    return [
      ...buckets,
      { labels: {}, sharedLabels, value: sum, metricName: `${this.#name}_sum` },
      { labels: {}, sharedLabels, value: count, metricName: `${this.#name}_count` },
    ];
  }
}
