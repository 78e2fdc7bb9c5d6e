import type { Database } from '@switchyard/database';
import { hasRole } from '@switchyard/management';
import type { ApiCaller } from '../api/caller.ts';

/** The requests that a caller may see. */
export interface RequestScope {
  accountId: string;
  /** Only those of these keys; of all keys if absent. */
  keys: readonly string[] | undefined;
}

const mostKeys = 1_000;

/** Members see the requests of keys they created. With `key`, only its requests are meant. */
export async function visibleRequests({ kysely }: Database, caller: ApiCaller, key?: string): Promise<RequestScope> {
  const { accountId } = caller;
  if (hasRole(caller, 'admin')) return { accountId, keys: key === undefined ? undefined : [key] };
  const rows = await kysely
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', caller.userId ?? '')
    .$if(key !== undefined, (query) => query.where('id', '=', key ?? ''))
    .orderBy('created_at', 'desc')
    .limit(mostKeys)
    .execute();
  return { accountId, keys: rows.map(({ id }) => id) };
}
