import type { Queries } from '@tallyport/database';
import { askingAddress } from './asked-from.ts';

/** The id of the actor. Ids are used because names and addresses change. */
export type AuditActor = `user:${string}` | `key:${string}` | `oauth:${string}` | `identity:${string}` | 'operator';

type AuditNoun =
  | 'account'
  | 'alert'
  | 'batch'
  | 'content'
  | 'end_user'
  | 'guard_webhook'
  | 'invitation'
  | 'key'
  | 'mcp_server'
  | 'member'
  | 'oauth_client'
  | 'project'
  | 'provider_key'
  | 'reconciliation'
  | 'route'
  | 'secrets'
  | 'session'
  | 'user';

interface AuditEntry {
  accountId: string;
  actor: AuditActor;
  /** The kind of object and the action, for example `key.revoked`. */
  action: `${AuditNoun}.${string}`;
  /** The id of the changed object. */
  subject: string;
  /** The new values. Must not contain secrets or anything from which a secret could be derived. */
  detail?: Readonly<Record<string, unknown>>;
}

/** Records an action, with the address of the client who asked for it. Use the transaction of the change, so that neither is stored without the other. */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<void> {
  const { accountId, actor, action, subject } = entry;
  const address = askingAddress();
  const detail = address === undefined ? entry.detail : { ...entry.detail, address };
  await queries
    .insertInto('audit_log')
    .values({ account_id: accountId, actor, action, subject, detail: detail ? JSON.stringify(detail) : null })
    .execute();
}
