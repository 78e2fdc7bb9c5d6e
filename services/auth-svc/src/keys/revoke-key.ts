import { type Database, type Queries, sql } from '@tallyport/database';
import { type AuditActor, recordAudit } from '@tallyport/management-server';
import { refusePlaygroundKey } from './playground-key-id.ts';
import { hashesOf } from './change-key.ts';
import { type KeyScope, inScope } from './key-scope.ts';

interface Revocation {
  id: string;
  actor: AuditActor;
  /** The scope to search; all accounts if absent. */
  scope?: KeyScope;
}

/**
 * Revokes a key and returns its hashes, or `undefined` if there is no key with this id. Repeating it changes nothing.
 */
export function revokeKey({ kysely }: Database, { id, actor, scope }: Revocation): Promise<string[] | undefined> {
  return kysely.transaction().execute(async (transaction) => {
    refusePlaygroundKey(id);
    const key = await transaction
      .selectFrom('api_keys')
      .select(['account_id', 'key_hash', 'previous_hash', 'revoked_at'])
      .where('id', '=', id)
      .$if(scope !== undefined, (query) => (scope ? query.where(inScope(scope)) : query))
      .forUpdate()
      .executeTakeFirst();
    if (key === undefined) return undefined;
    if (key.revoked_at === null) await end(transaction, { id, actor, accountId: key.account_id });
    return hashesOf(key);
  });
}

interface KeysOfMember {
  accountId: string;
  userId: string;
  /** Only keys of this project. */
  projectId?: string;
  actor: AuditActor;
  /** Only admin keys. */
  onlyAdmin?: boolean;
}

/** Revokes the keys a member created in an account, for example when they leave, and returns their hashes. */
export async function revokeKeysOf(
  transaction: Queries,
  { accountId, userId, projectId, actor, onlyAdmin = false }: KeysOfMember,
): Promise<string[]> {
  const keys = await transaction
    .selectFrom('api_keys')
    .select(['id', 'key_hash', 'previous_hash'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? ''))
    .$if(onlyAdmin, (query) => query.where('is_admin', '=', true))
    .where('revoked_at', 'is', null)
    .forUpdate()
    .execute();
  for (const { id } of keys) await end(transaction, { id, actor, accountId });
  return keys.flatMap(hashesOf);
}

/** Passes the keys to the account: their creator no longer manages them, and does not regain them by rejoining. */
export async function disownKeys(transaction: Queries, { accountId, userId, projectId }: KeysOfMember): Promise<void> {
  await transaction
    .updateTable('api_keys')
    .set({ user_id: null })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? ''))
    .execute();
}

async function end(
  transaction: Queries,
  { id, actor, accountId }: { id: string; actor: AuditActor; accountId: string },
): Promise<void> {
  await transaction
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await recordAudit(transaction, { accountId, actor, action: 'key.revoked', subject: id });
}
