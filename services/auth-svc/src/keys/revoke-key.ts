import { type Database, type Queries, sql } from '@switchyard/database';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import { hashesOf } from './change-key.ts';
import { type KeyScope, scopeColumns } from './key-scope.ts';

export interface Revocation {
  id: string;
  actor: AuditActor;
  /** Without it, of whatever account the key is. */
  scope?: KeyScope;
}

/** The hashes of the key that works no longer, or `undefined` when there is none with this id. Doing it again changes nothing. */
export function revokeKey({ kysely }: Database, { id, actor, scope }: Revocation): Promise<string[] | undefined> {
  return kysely.transaction().execute(async (transaction) => {
    const key = await transaction
      .selectFrom('api_keys')
      .select(['account_id', 'key_hash', 'previous_hash', 'revoked_at'])
      .where((where) => where.and({ id, ...(scope && scopeColumns(scope)) }))
      .forUpdate()
      .executeTakeFirst();
    if (key === undefined) return undefined;
    if (key.revoked_at === null) await end(transaction, { id, actor, accountId: key.account_id });
    return hashesOf(key);
  });
}

export interface MadeBy {
  accountId: string;
  userId: string;
  actor: AuditActor;
  /** Only those of them that may use the management API. */
  onlyAdmin?: boolean;
}

/** The keys somebody made in an account, such as when they leave it. */
export async function revokeKeysOf(
  transaction: Queries,
  { accountId, userId, actor, onlyAdmin = false }: MadeBy,
): Promise<string[]> {
  const keys = await transaction
    .selectFrom('api_keys')
    .select(['id', 'key_hash', 'previous_hash'])
    .where((where) => where.and(scopeColumns({ accountId, userId })))
    .$if(onlyAdmin, (query) => query.where('is_admin', '=', true))
    .where('revoked_at', 'is', null)
    .forUpdate()
    .execute();
  for (const { id } of keys) await end(transaction, { id, actor, accountId });
  return keys.flatMap(hashesOf);
}

/** From now on they are the account's: whoever made them gets no hold of them by coming back. */
export async function disownKeys(transaction: Queries, { accountId, userId }: MadeBy): Promise<void> {
  await transaction
    .updateTable('api_keys')
    .set({ user_id: null })
    .where((where) => where.and(scopeColumns({ accountId, userId })))
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
