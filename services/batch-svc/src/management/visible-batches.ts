import { type Database, sql } from '@tallyport/database';
import { hasRole, keyIdsOfUser } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import { noSuchBatch } from '../batches/batch-id.ts';
import { batchOf, type StoredBatch } from '../batches/stored-batches.ts';

interface VisiblePage {
  limit: number;
  /** The id of the last batch of the page before. */
  cursor?: string | undefined;
}

/** Newest first, one batch more than the page has if there are more. Throws `not_found` for an unknown cursor. */
export async function visibleBatches(
  database: Database,
  caller: ApiCaller,
  { limit, cursor }: VisiblePage,
): Promise<StoredBatch[]> {
  let query = visibleTo(database, caller);
  if (cursor !== undefined) {
    const { id } = await visibleBatch(database, caller, cursor);
    query = query.where(sql<boolean>`(created_at, id) < (select created_at, id from batches where id = ${id})`);
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return rows.map(batchOf);
}

/** Throws `not_found` for unknown batches and those that the caller may not see. */
export async function visibleBatch(database: Database, caller: ApiCaller, id: string): Promise<StoredBatch> {
  // Postgres takes no NUL.
  const row = await visibleTo(database, caller).where('id', '=', id.replaceAll('\0', '')).executeTakeFirst();
  if (row === undefined) throw noSuchBatch();
  return batchOf(row);
}

/**
 * Members see the batches of keys that they created, of OAuth clients that act for them, and of projects to which they
 * belong: every key of a project can read its batches.
 */
function visibleTo({ kysely }: Database, caller: ApiCaller) {
  const { accountId, userId = '' } = caller;
  const inAccount = kysely.selectFrom('batches').selectAll().where('account_id', '=', accountId);
  if (hasRole(caller, 'admin')) return inAccount;
  return inAccount.where(
    sql<boolean>`(key_id in (select id from api_keys where account_id = ${accountId} and user_id = ${userId})
      or starts_with(key_id, ${keyIdsOfUser(userId)})
      or project_id in (select project_id from project_members where account_id = ${accountId} and user_id = ${userId}))`,
  );
}
