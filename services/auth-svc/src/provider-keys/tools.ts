import type { Database } from '@tallyport/database';
import type { AuditActor } from '../audit/audit.ts';
import type { Secrets } from '../secrets/secrets.ts';

export interface ProviderKeyTools {
  database: Database;
  secrets: Secrets;
}

/** The account of the keys, and the actor of a change. */
export interface ProviderKeyOwner {
  accountId: string;
  actor: AuditActor;
}
