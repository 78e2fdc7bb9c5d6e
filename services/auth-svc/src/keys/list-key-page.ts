import type { ApiKey } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import type { KeyQuery } from '@tallyport/management';
import { mapInTurns, matchesKey } from '@tallyport/management-server';
import { keyColumns, keyRecord } from './key-record.ts';
import { type KeyScope, inScope } from './key-scope.ts';

/**
 * As many keys as a response holds if the query sets no limit: all that work, of which an account has 1,000, and some that
 * are revoked. Nothing else of the process runs while they are written as JSON, for 0.1 s with the longest rules.
 */
const most = 2_000;

interface KeyPage {
  keys: ApiKey[];
  nextCursor?: string;
}

/** Lists the keys of a scope that the query finds, in the order of their creation. */
export async function listKeyPage({ kysely }: Database, scope: KeyScope, query: KeyQuery): Promise<KeyPage> {
  const { ids, limit = most, order, search, project, state, cursor } = query;
  const direction = order === 'newest' ? 'desc' : 'asc';
  const rows = await kysely
    .selectFrom('api_keys')
    .select(keyColumns)
    .where(inScope(scope))
    .$if(ids !== undefined, (found) => found.where('id', 'in', ids ?? []))
    .$if(search !== undefined, (found) => found.where(matchesKey(search ?? '')))
    .$if(project === 'none', (found) => found.where('project_id', 'is', null))
    .$if(project !== undefined && project !== 'none', (found) => found.where('project_id', '=', project ?? ''))
    .$if(state !== 'all', (found) => found.where('revoked_at', state === 'revoked' ? 'is not' : 'is', null))
    .$if(cursor !== undefined, (found) => found.where(isBeyond(cursor ?? '', scope, order)))
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute();
  const keys = await mapInTurns(rows.slice(0, limit), keyRecord);
  const last = keys.at(-1);
  return { keys, ...(rows.length > limit && last && { nextCursor: last.id }) };
}

const isBeyond = (cursor: string, { accountId }: KeyScope, order: KeyQuery['order']) => {
  const last = sql`(select created_at, id from api_keys where id = ${cursor} and account_id = ${accountId})`;
  return order === 'newest' ? sql<boolean>`(created_at, id) < ${last}` : sql<boolean>`(created_at, id) > ${last}`;
};
