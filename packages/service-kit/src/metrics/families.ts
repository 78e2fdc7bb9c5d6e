import { Counter as PromCounter, Gauge as PromGauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { CountedHistogram } from './counted-histogram.ts';
import type { Labels, LabelValues, MetricOptions, SeriesGuard } from './series.ts';

export interface GaugeOptions<Names extends Labels> extends MetricOptions<Names> {
  /** Called at every scrape, for a gauge without labels. */
  readonly read?: () => number;
}

export interface HistogramOptions<Names extends Labels> extends MetricOptions<Names> {
  readonly buckets: readonly number[];
}

interface CounterHandle {
  increment(by?: number): void;
}

export interface GaugeHandle {
  set(value: number): void;
  add(by: number): void;
}

interface HistogramHandle {
  observe(value: number): void;
}

/** `with` returns the series of a label set. Keep the handle where the labels are known in advance. */
export interface Counter<Names extends Labels> {
  with(values?: LabelValues<Names>): CounterHandle;
}

export interface Gauge<Names extends Labels> {
  with(values?: LabelValues<Names>): GaugeHandle;
}

export interface Histogram<Names extends Labels> {
  with(values?: LabelValues<Names>): HistogramHandle;
}

/** Counts in a plain number and updates the registry at a scrape, so that the hot path costs one addition. */
export function counterFamily<Names extends Labels>(
  registry: Registry,
  guard: SeriesGuard,
  options: MetricOptions<Names>,
): Counter<Names> {
  const updates: (() => void)[] = [];
  const counter = new PromCounter({
    ...promOptions(registry, options),
    collect: () => updates.forEach((update) => update()),
  });
  const series = guard.series<Names, CounterHandle>({
    options,
    make(labels) {
      let pending = 0;
      updates.push(() => {
        counter.inc(labels, pending);
        pending = 0;
      });
      return { increment: (by = 1) => void (pending += by > 0 ? by : 0) };
    },
    full: (dropped) => ({ increment: dropped }),
  });
  for (const values of fewCombinations(options.labels ?? ({} as Names))) series(values);
  return { with: series };
}

/** Counters with more label combinations than this get their series when they are first incremented. */
const maxCombinations = 8;

/**
 * A series that first appears with its first event shows no increase, so no alert fires. Counters with few series
 * therefore start at 0.
 */
function fewCombinations<Names extends Labels>(labels: Names): LabelValues<Names>[] {
  let combinations: Record<string, string>[] = [{}];
  for (const [name, allowed] of Object.entries(labels)) {
    if (typeof allowed === 'string' || allowed.length * combinations.length > maxCombinations) return [];
    combinations = combinations.flatMap((values) => allowed.map((value) => ({ ...values, [name]: value })));
  }
  // Each combination has exactly these names.
  return combinations as LabelValues<Names>[];
}

export function gaugeFamily<Names extends Labels>(
  registry: Registry,
  guard: SeriesGuard,
  options: GaugeOptions<Names>,
): Gauge<Names> {
  const updates: (() => void)[] = [];
  const { read } = options;
  const gauge = new PromGauge({
    ...promOptions(registry, options),
    collect: () => updates.forEach((update) => update()),
  });
  if (read !== undefined) updates.push(() => gauge.set(read()));
  const series = guard.series<Names, GaugeHandle>({
    options,
    make(labels) {
      let value = 0;
      updates.push(() => gauge.set(labels, value));
      return { set: (next) => void (value = next), add: (by) => void (value += by) };
    },
    full: (dropped) => ({ set: dropped, add: dropped }),
  });
  return { with: series };
}

export function histogramFamily<Names extends Labels>(
  registry: Registry,
  guard: SeriesGuard,
  options: HistogramOptions<Names>,
): Histogram<Names> {
  const histogram = new CountedHistogram({ ...promOptions(registry, options), buckets: [...options.buckets] });
  const series = guard.series<Names, HistogramHandle>({
    options,
    make: (labels) => histogram.add(labels),
    full: (dropped) => ({ observe: dropped }),
  });
  return { with: series };
}

function promOptions(registry: Registry, { name, help, labels }: MetricOptions<Labels>) {
  return { name, help, labelNames: Object.keys(labels ?? {}), registers: [registry] };
}
