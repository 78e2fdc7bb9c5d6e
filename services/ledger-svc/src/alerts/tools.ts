import type { Database } from '@tallyport/database';
import type { AuditActor, Secrets } from '@tallyport/management-server';

export interface AlertTools {
  database: Database;
  secrets: Secrets;
}

/** The account of the alerts, and the actor of a change. */
export interface AlertOwner {
  accountId: string;
  actor: AuditActor;
}
