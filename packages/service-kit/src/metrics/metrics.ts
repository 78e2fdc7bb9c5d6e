import { collectDefaultMetrics, Registry } from 'prom-client';
import { counterFamily, gaugeFamily, histogramFamily } from './families.ts';
import type { Counter, Gauge, GaugeOptions, Histogram, HistogramOptions } from './families.ts';
import { createNamedOffers } from './named-offers.ts';
import { createSeriesGuard } from './series.ts';
import type { Labels, MetricOptions } from './series.ts';

/**
 * The metrics of one process. Declaring a name again returns the same metric, so that modules may share a process; it
 * throws if the kind or the labels differ.
 */
export interface Metrics {
  counter<const Names extends Labels>(options: MetricOptions<Names>): Counter<Names>;
  gauge<const Names extends Labels>(options: GaugeOptions<Names>): Gauge<Names>;
  histogram<const Names extends Labels>(options: HistogramOptions<Names>): Histogram<Names>;
  /** The greatest value among the series of a gauge; 0 if no module has declared it. */
  greatest(gauge: string): Promise<number>;
  /** The exposition text. */
  text(): Promise<string>;
  readonly contentType: string;
}

interface MetricsOptions {
  /** Maximum number of label sets per metric. */
  readonly seriesCap?: number;
  /**
   * Maximum number of offers with series of their own. An offer makes about five label sets of a metric with outcomes or
   * token classes, and at most about ten: that many offers fit.
   */
  readonly offersCap?: number;
  /** Whether to include the metrics of Node: memory, garbage collection, event-loop lag. */
  readonly defaults?: boolean;
}

/** From 0.25 ms to 1 s: the time that the gateway itself adds. */
export const overheadBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** From 5 ms to 10 minutes: whole requests, including images. */
export const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 600];

/** How often the monitor wakes the process. At the default of 10 ms an idle service would wake 100 times a second. */
const lagPrecisionMs = 100;

/**
 * Gauges of the library that are named like counters, which promtool rejects. Each is the sum of a metric that is kept.
 */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export function createMetrics({
  seriesCap = 2000,
  offersCap = seriesCap / 10,
  defaults = true,
}: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const guard = createSeriesGuard(registry, { cap: seriesCap, offers: createNamedOffers(offersCap) });
  const declared = new Map<string, { signature: string; family: object }>();
  if (defaults) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagPrecisionMs });
  for (const name of misnamed) registry.removeSingleMetric(name);

  function once<Family extends object>(kind: string, options: MetricOptions<Labels>, make: () => Family): Family {
    const signature = `${kind}(${Object.keys(options.labels ?? {}).join()})`;
    const known = declared.get(options.name);
    if (known === undefined) {
      const family = make();
      declared.set(options.name, { signature, family });
      return family;
    }
    if (known.signature !== signature) {
      throw new TypeError(`${options.name} is declared as ${known.signature} and as ${signature}.`);
    }
    // Same signature: created by the same function with the same label names.
    return known.family as Family;
  }

  return {
    counter: (options) => once('counter', options, () => counterFamily(registry, guard, options)),
    gauge: (options) => once('gauge', options, () => gaugeFamily(registry, guard, options)),
    histogram: (options) => once('histogram', options, () => histogramFamily(registry, guard, options)),
    async greatest(gauge) {
      const series = (await registry.getSingleMetric(gauge)?.get())?.values ?? [];
      return Math.max(0, ...series.map(({ value }) => value));
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
