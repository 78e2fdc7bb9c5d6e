import type { Database } from '@tallyport/database';
import type { AuditActor, Secrets } from '@tallyport/management-server';

export interface GuardWebhookTools {
  database: Database;
  secrets: Secrets;
}

/** The account of the webhooks, and the actor of a change. */
export interface GuardWebhookOwner {
  accountId: string;
  actor: AuditActor;
}
