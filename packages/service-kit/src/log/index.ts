export * from './destination.ts';
export { createLog, silentLog } from './log.ts';
export type * from './log.ts';
export { createRedact, redactHeaders } from './redact.ts';
export * from './throttle.ts';
