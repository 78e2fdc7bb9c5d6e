export * from './destination.ts';
export { createLog, silentLog } from './log.ts';
export type * from './log.ts';
export * from './throttle.ts';
