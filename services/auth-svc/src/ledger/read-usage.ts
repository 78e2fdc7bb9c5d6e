import { type Database, sql } from '@switchyard/database';
import { type Sums, sumColumns, type SumsRow, sumsOf } from './sums.ts';

export const groupings = ['day', 'model', 'provider', 'key'] as const;
export type Grouping = (typeof groupings)[number];

export interface UsageScope {
  accountId: string;
  /** Only of this key. */
  keyId?: string | undefined;
  /** Only of keys that this user made. */
  userId?: string | undefined;
}

export interface UsageQuestion extends UsageScope {
  from: Date;
  /** What begins at or after it no longer counts. */
  until: Date;
}

const groupColumns = {
  day: sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
  model: sql`model`,
  provider: sql`provider`,
  key: sql`key_id`,
} as const;

/** Sums of whole days by UTC, from sums that are kept ready; days in order, everything else the dearest first. */
export async function readUsage(
  { kysely }: Database,
  question: UsageQuestion,
  grouping: Grouping,
): Promise<{ group: string; sums: Sums }[]> {
  const order = grouping === 'day' ? sql`1` : sql`sum(cost) desc, 1`;
  const { rows } = await sql<SumsRow & { name: string }>`
    select ${groupColumns[grouping]} as name, ${sumColumns} from usage_days
    where ${usageCondition(question)} group by 1 order by ${order} limit 10000`.execute(kysely);
  return rows.map(({ name, ...row }) => ({ group: name, sums: sumsOf(row) }));
}

export async function readTotal({ kysely }: Database, question: UsageQuestion): Promise<Sums> {
  const { rows } = await sql<SumsRow>`select ${sumColumns} from usage_days where ${usageCondition(question)}`.execute(
    kysely,
  );
  return sumsOf(rows[0] ?? {});
}

/** The condition for records and for sums alike. */
export const usageCondition = ({ accountId, keyId, userId, from, until }: UsageQuestion) =>
  sql.join(
    [
      sql`account_id = ${accountId} and at >= ${from} and at < ${until}`,
      ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
      ...(userId === undefined
        ? []
        : [sql`key_id in (select id from api_keys where account_id = ${accountId} and user_id = ${userId})`]),
    ],
    sql` and `,
  );
