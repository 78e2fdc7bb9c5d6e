import { type Database, sql } from '@switchyard/database';
import { hasRole, keyIdsOfUser } from '@switchyard/management';
import type { ApiCaller } from '../api/caller.ts';

/** The requests that a caller may see. */
export interface RequestScope {
  accountId: string;
  /** Only those of these keys; of all keys if absent. */
  keys: readonly string[] | undefined;
}

const mostKeys = 1_000;

/** Members see the requests of keys they created, and of OAuth clients that act for them. With `key`, only its requests. */
export async function visibleRequests(database: Database, caller: ApiCaller, key?: string): Promise<RequestScope> {
  const { accountId, userId = '' } = caller;
  if (hasRole(caller, 'admin')) return { accountId, keys: key === undefined ? undefined : [key] };
  const [created, acting] = await Promise.all([
    keysOf(database, { accountId, userId }),
    actingFor(database, { accountId, userId }),
  ]);
  const keys = [...acting, ...created];
  return { accountId, keys: key === undefined ? keys : keys.filter((id) => id === key) };
}

interface Member {
  accountId: string;
  userId: string;
}

async function keysOf({ kysely }: Database, { accountId, userId }: Member): Promise<string[]> {
  const rows = await kysely
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(mostKeys)
    .execute();
  return rows.map(({ id }) => id);
}

/** The key ids of OAuth clients that were used for the user. An ended grant leaves none but here. */
async function actingFor({ kysely }: Database, { accountId, userId }: Member): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct key_id as id from usage_days
    where account_id = ${accountId} and at >= now() - make_interval(days => 400)
      and starts_with(key_id, ${keyIdsOfUser(userId)}) limit ${mostKeys}`.execute(kysely);
  return rows.map(({ id }) => id);
}
