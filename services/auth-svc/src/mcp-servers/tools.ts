import type { Database } from '@tallyport/database';
import type { AuditActor } from '../audit/audit.ts';
import type { Secrets } from '../secrets/secrets.ts';

export interface McpServerTools {
  database: Database;
  secrets: Secrets;
}

/** The account of the servers, and the actor of a change. */
export interface McpServerOwner {
  accountId: string;
  actor: AuditActor;
}
