import type { Database } from '@tallyport/database';
import type { AuditActor } from '../audit/audit.ts';
import type { Secrets } from '../secrets/secrets.ts';

export interface GuardWebhookTools {
  database: Database;
  secrets: Secrets;
}

/** The account of the webhooks, and the actor of a change. */
export interface GuardWebhookOwner {
  accountId: string;
  actor: AuditActor;
}
