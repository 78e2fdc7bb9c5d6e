import type { Queries } from '@switchyard/database';

/** Who did it, by id: names and addresses change. */
export type AuditActor = `user:${string}` | `key:${string}` | `oauth:${string}` | 'operator';

type AuditNoun =
  | 'account'
  | 'invitation'
  | 'key'
  | 'member'
  | 'oauth_client'
  | 'provider_key'
  | 'secrets'
  | 'session'
  | 'user';

export interface AuditEntry {
  accountId: string;
  actor: AuditActor;
  /** What it was done to and what was done, such as `key.revoked`. */
  action: `${AuditNoun}.${string}`;
  /** The id of what it was done to. */
  subject: string;
  /** What is new. Never a secret, nor anything one could be found from. */
  detail?: Readonly<Record<string, unknown>>;
}

/** Writes down what was done. Give it the transaction of the change itself, so that neither is there without the other. */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<void> {
  const { accountId, actor, action, subject, detail } = entry;
  await queries
    .insertInto('audit_log')
    .values({ account_id: accountId, actor, action, subject, detail: detail ? JSON.stringify(detail) : null })
    .execute();
}
