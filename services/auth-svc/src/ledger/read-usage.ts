import { type Database, sql } from '@switchyard/database';
import { type Grouping, keyIdsOfUser, type Sums } from '@switchyard/management';
import { sumColumns, type SumsRow, sumsOf } from './sums.ts';

export interface UsageScope {
  accountId: string;
  /** Only the usage of this key. */
  keyId?: string | undefined;
  /** Only the usage of keys that this user created, and of OAuth clients that act for them. */
  userId?: string | undefined;
}

export interface UsageQuery extends UsageScope {
  from: Date;
  /** The exclusive end. */
  until: Date;
}

const groupColumns = {
  day: sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
  model: sql`model`,
  provider: sql`provider`,
  key: sql`key_id`,
} as const;

/** Reads usage by whole UTC days from the daily sums. Days are in order, other groups by cost, highest first. */
export async function readUsage(
  { kysely }: Database,
  usageQuery: UsageQuery,
  grouping: Grouping,
): Promise<{ group: string; sums: Sums }[]> {
  const order = grouping === 'day' ? sql`1` : sql`sum(cost) desc, 1`;
  const { rows } = await sql<SumsRow & { name: string }>`
    select ${groupColumns[grouping]} as name, ${sumColumns} from usage_days
    where ${usageCondition(usageQuery)} group by 1 order by ${order} limit 10000`.execute(kysely);
  return rows.map(({ name, ...row }) => ({ group: name, sums: sumsOf(row) }));
}

export async function readTotal({ kysely }: Database, usageQuery: UsageQuery): Promise<Sums> {
  const { rows } = await sql<SumsRow>`select ${sumColumns} from usage_days where ${usageCondition(usageQuery)}`.execute(
    kysely,
  );
  return sumsOf(rows[0] ?? {});
}

/** The SQL condition for both records and sums. */
export const usageCondition = ({ accountId, keyId, userId, from, until }: UsageQuery) =>
  sql.join(
    [
      sql`account_id = ${accountId} and at >= ${from} and at < ${until}`,
      ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
      ...(userId === undefined
        ? []
        : [
            sql`(key_id in (select id from api_keys where account_id = ${accountId} and user_id = ${userId})
              or starts_with(key_id, ${keyIdsOfUser(userId)}))`,
          ]),
    ],
    sql` and `,
  );
