export { inflightRequests, runningRequests } from './inflight.ts';
export * from './metrics.ts';
export { showStore } from './store-gauge.ts';
export type * from './families.ts';
