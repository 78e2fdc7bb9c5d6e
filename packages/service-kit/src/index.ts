export { adminServer } from './admin/admin-server.ts';
export type { AdminServer, AdminServerOptions } from './admin/admin-server.ts';
export { listen, stopServer } from './admin/listen.ts';
export * from './config/index.ts';
export * from './life/index.ts';
export * from './log/index.ts';
export * from './metrics/index.ts';
export * from './trace/traceparent.ts';
