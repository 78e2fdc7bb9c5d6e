import { type Database, type RawBuilder, sql } from '@tallyport/database';
import { hasRole } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import { keysActingFor } from '../usage/read-usage.ts';

/** The requests that a caller may see. */
export interface RequestScope {
  accountId: string;
  /** Only those of these keys; of all keys if absent. */
  keys: readonly string[] | undefined;
  /** Also those of these projects. */
  projects?: readonly string[];
}

/** The SQL condition for records of the account that the caller may see. */
export const ofScope = ({ keys, projects = [] }: Omit<RequestScope, 'accountId'>): RawBuilder<unknown> =>
  keys === undefined
    ? sql`true`
    : sql`(key_id in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))
        or project_id in (select jsonb_array_elements_text(${JSON.stringify(projects)}::jsonb)))`;

/** Which requests a list is about. */
interface WantedRequests {
  key?: string | undefined;
  project?: string | undefined;
  member?: string | undefined;
}

const mostKeys = 1_000;

/** The requests that a caller may see, with `member` only those of keys that this user created or that act for them. */
export async function visibleRequests(
  database: Database,
  caller: ApiCaller,
  { member, ...wanted }: WantedRequests = {},
): Promise<RequestScope> {
  const scope = await requestsOfCaller(database, caller, wanted);
  if (member === undefined) return scope;
  const keys = await keysOfUser(database, { accountId: caller.accountId, userId: member });
  const { keys: visible } = scope;
  // A member sees their own keys; others of a project are not asked for one by one.
  return { ...scope, projects: [], keys: visible === undefined ? keys : keys.filter((id) => visible.includes(id)) };
}

/**
 * Members see the requests of keys they created, of OAuth clients that act for them and, with `project`, of a project
 * whose admin they are. With `key`, only its requests.
 */
async function requestsOfCaller(
  database: Database,
  caller: ApiCaller,
  { key, project }: WantedRequests,
): Promise<RequestScope> {
  const { accountId, userId = '' } = caller;
  const ofKey = key === undefined ? undefined : [key];
  if (hasRole(caller, 'admin')) return { accountId, keys: ofKey };
  const projects = await administeredBy(database, { accountId, userId });
  if (project !== undefined && projects.includes(project)) return { accountId, keys: ofKey };
  const keys = await keysOfUser(database, { accountId, userId });
  return { accountId, keys: key === undefined ? keys : keys.filter((id) => id === key), projects };
}

interface Member {
  accountId: string;
  userId: string;
}

/** Also those of OAuth clients that act for them. */
async function keysOfUser(database: Database, member: Member): Promise<string[]> {
  const [created, acting] = await Promise.all([keysOf(database, member), actingFor(database, member)]);
  return [...acting, ...created];
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

async function actingFor({ kysely }: Database, { accountId, userId }: Member): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${keysActingFor(accountId, userId)} limit ${mostKeys}`.execute(kysely);
  return rows.map(({ id }) => id);
}

/** The projects whose admin the user is. */
async function administeredBy({ kysely }: Database, { accountId, userId }: Member): Promise<string[]> {
  const rows = await kysely
    .selectFrom('project_members')
    .select('project_id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('role', '=', 'admin')
    .execute();
  return rows.map(({ project_id }) => project_id);
}
