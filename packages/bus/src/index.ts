export { type CallOptions, type Client, createClient } from './client.ts';
export { RequestDismissed } from './faults.ts';
export { inProcessLink } from './in-process.ts';
export type { JournalClient, Unreadable } from './journal-client.ts';
export type * from './link.ts';
export { compositionNames, type NatsUser, permissionsOf, processNames } from './nats-permissions.ts';
export { type Handlers, serve } from './server.ts';
