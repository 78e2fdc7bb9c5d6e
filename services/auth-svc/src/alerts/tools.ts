import type { Database } from '@tallyport/database';
import type { AuditActor } from '../audit/audit.ts';
import type { Secrets } from '../secrets/secrets.ts';

export interface AlertTools {
  database: Database;
  secrets: Secrets;
}

/** The account of the alerts, and the actor of a change. */
export interface AlertOwner {
  accountId: string;
  actor: AuditActor;
}
