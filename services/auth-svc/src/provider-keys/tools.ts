import type { Database } from '@tallyport/database';
import type { AuditActor, Secrets } from '@tallyport/management-server';

export interface ProviderKeyTools {
  database: Database;
  secrets: Secrets;
}

/** The account of the keys, and the actor of a change. */
export interface ProviderKeyOwner {
  accountId: string;
  actor: AuditActor;
}
