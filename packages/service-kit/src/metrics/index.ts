export { inflightRequests, runningRequests } from './inflight.ts';
export * from './metrics.ts';
export { showStore } from './store-gauge.ts';
export type * from './families.ts';
export type { Labels, LabelValues, MetricOptions } from './series.ts';
