import type { Database } from '@tallyport/database';
import type { AuditActor, Secrets } from '@tallyport/management-server';

export interface McpServerTools {
  database: Database;
  secrets: Secrets;
}

/** The account of the servers, and the actor of a change. */
export interface McpServerOwner {
  accountId: string;
  actor: AuditActor;
}
