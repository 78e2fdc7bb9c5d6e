import { type Database, type RawBuilder, sql } from '@tallyport/database';
import { type Grouping, keyIdsOfUser, type Sums } from '@tallyport/management';
import { dayColumn } from './day-column.ts';
import { sumColumns, type SumsRow, sumsOf } from './sums.ts';
import { usageRelation } from './usage-relation.ts';

interface UsageScope {
  accountId: string;
  /** Only the usage of this key. */
  keyId?: string | undefined;
  /** Only the usage of this project, or with `none` of no project. */
  projectId?: string | undefined;
  /**
   * Only the usage of keys that this user created and of OAuth clients that act for them, or of the project if they are
   * its admin.
   */
  userId?: string | undefined;
  /** Only the usage of keys that this user created and of OAuth clients that act for them. */
  memberId?: string | undefined;
}

export interface UsageQuery extends UsageScope {
  from: Date;
  /** The exclusive end. */
  until: Date;
}

const groupColumns = {
  day: dayColumn,
  model: sql`model`,
  provider: sql`provider`,
  key: sql`key_id`,
  project: sql`project_id`,
} as const;

/** Reads usage by whole UTC days from the daily sums. Days are in order, other groups by cost, highest first. */
export async function readUsage(
  { kysely }: Database,
  usageQuery: UsageQuery,
  grouping: Grouping,
): Promise<{ group: string; sums: Sums }[]> {
  const order = grouping === 'day' ? sql`1` : sql`sum(cost) desc, 1`;
  const { rows } = await sql<SumsRow & { name: string }>`
    select ${groupColumns[grouping]} as name, ${sumColumns}
    from ${usageRelation(grouping === 'day' ? 'days' : 'span', usageQuery, [grouping])} where ${usageCondition(usageQuery)}
    group by 1 having ${hasRequests} order by ${order} limit 10000`.execute(kysely);
  return rows.map(({ name, ...row }) => ({ group: name, sums: sumsOf(row) }));
}

export async function readTotal({ kysely }: Database, usageQuery: UsageQuery): Promise<Sums> {
  const { rows } = await sql<SumsRow>`
    select ${sumColumns} from ${usageRelation('span', usageQuery)} where ${usageCondition(usageQuery)}`.execute(kysely);
  return sumsOf(rows[0] ?? {});
}

/** Leaves out groups whose requests are all in projects, which the query does not mean. */
export const hasRequests = sql`sum(requests) + sum(refused) > 0`;

/** The SQL condition for both records and sums. */
export const usageCondition = ({ accountId, keyId, projectId, userId, memberId, from, until }: UsageQuery) =>
  sql.join(
    [
      sql`account_id = ${accountId} and at >= ${from} and at < ${until}`,
      ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
      ...(projectId === undefined ? [] : [ofProject(projectId)]),
      ...(userId === undefined ? [] : [visibleTo(userId, { accountId, projectId })]),
      ...(memberId === undefined ? [] : [ofKeysOf(memberId, accountId)]),
    ],
    sql` and `,
  );

/** The column is null in records outside projects, and empty in sums. */
const ofProject = (id: string) => (id === 'none' ? sql`coalesce(project_id, '') = ''` : sql`project_id = ${id}`);

/** SQL: the key ids of OAuth clients that were used for the user. An ended grant leaves none but here. */
export const keysActingFor = (accountId: string, userId: string): RawBuilder<unknown> =>
  sql`select distinct value as id from usage_summary_days where account_id = ${accountId} and dimension = 'key'
    and starts_with(value, 'oauth_') and starts_with(value, ${keyIdsOfUser(userId)})`;

/** An array, so that each key is looked up in an index. Postgres would compare all rows with a list. */
const ofKeysOf = (userId: string, accountId: string) =>
  sql`key_id = any(array(select id from api_keys where account_id = ${accountId} and user_id = ${userId}
    union all (${keysActingFor(accountId, userId)})))`;

const visibleTo = (userId: string, { accountId, projectId }: Pick<UsageScope, 'accountId' | 'projectId'>) => {
  const own = ofKeysOf(userId, accountId);
  if (projectId === undefined) return own;
  return sql`(${own} or exists (select from project_members
    where project_id = ${projectId} and user_id = ${userId} and role = 'admin'))`;
};
