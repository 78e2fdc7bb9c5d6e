export * from './metrics.ts';
export type * from './families.ts';
export type { Labels, LabelValues, MetricOptions } from './series.ts';
