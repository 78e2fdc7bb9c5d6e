import { collectDefaultMetrics, Registry } from 'prom-client';
import { counterFamily, gaugeFamily, histogramFamily } from './families.ts';
import type { Counter, Gauge, GaugeOptions, Histogram, HistogramOptions } from './families.ts';
import { createSeriesGuard } from './series.ts';
import type { Labels, MetricOptions } from './series.ts';

/**
 * The metrics of one process. Declaring a name twice gives the same metric, so that modules may share a process; with
 * another kind or other labels it throws.
 */
export interface Metrics {
  counter<const Names extends Labels>(options: MetricOptions<Names>): Counter<Names>;
  gauge<const Names extends Labels>(options: GaugeOptions<Names>): Gauge<Names>;
  histogram<const Names extends Labels>(options: HistogramOptions<Names>): Histogram<Names>;
  /** The exposition text. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsOptions {
  /** Label sets per metric. */
  readonly seriesCap?: number;
  /** Those of Node itself: memory, collector pauses, event-loop lag. */
  readonly defaults?: boolean;
}

/** From a quarter of a millisecond to a second: what the gateway itself adds. */
export const overheadBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** From a few milliseconds to ten minutes: whole requests, images included. */
export const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 600];

/** The monitor wakes the process this often; at its default of 10 ms an idle service would wake a hundred times a second. */
const lagPrecisionMs = 100;

/** The library's gauges with a counter's name, which promtool refuses. Each is the sum of one that stays. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export function createMetrics({ seriesCap = 2000, defaults = true }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const guard = createSeriesGuard(registry, seriesCap);
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
    // The signature says it was made by the same function with the same label names.
    return known.family as Family;
  }

  return {
    counter: (options) => once('counter', options, () => counterFamily(registry, guard, options)),
    gauge: (options) => once('gauge', options, () => gaugeFamily(registry, guard, options)),
    histogram: (options) => once('histogram', options, () => histogramFamily(registry, guard, options)),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
