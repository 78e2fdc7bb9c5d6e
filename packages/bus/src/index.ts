export { type CallOptions, type Client, createClient, type NoticeClient } from './client.ts';
export { RequestDismissed } from './faults.ts';
export type { UnheardService } from './heard-services.ts';
export { inProcessLink } from './in-process.ts';
export type { JournalClient, Unreadable } from './journal-client.ts';
export type * from './link.ts';
export { type Permissions, permissionsOf, processNames } from './nats-permissions.ts';
export { type CallContext, type Handlers, serve, type ServeOptions } from './server.ts';
