import type { AuditActor } from '@tallyport/management-server';

/** The account of the routes, and the actor of a change. */
export interface RouteOwner {
  accountId: string;
  actor: AuditActor;
}
