import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { EndUserSums, OneEndUser } from '@tallyport/management';
import { dayColumn } from '../usage/day-column.ts';
import { endUserSums } from '../usage/end-user-sums.ts';
import type { UsageQuery } from '../usage/read-usage.ts';
import { amountColumns, amountsOf, type AmountsRow } from './amounts.ts';
import { readDays } from './read-days.ts';
import { readP95 } from './read-p95.ts';

type Span = Pick<UsageQuery, 'from' | 'until'>;

interface WantedEndUser {
  accountId: string;
  endUser: string;
  span: Span;
  /** Other days, of which the total is read as well. */
  before: Span | undefined;
}

/** Reads the usage of an end user by day and in total from its sums. */
export async function readEndUser(
  { kysely }: Database,
  { accountId, endUser, span, before }: WantedEndUser,
): Promise<OneEndUser> {
  const own = ({ from, until }: Span) =>
    sql`account_id = ${accountId} and end_user = ${endUser} and at >= ${from} and at < ${until}`;
  const [days, p95, total, earlier] = await Promise.all([
    readDays(kysely, own(span)),
    readP95(kysely, own(span), dayColumn),
    readTotal(kysely, own(span)),
    before && readTotal(kysely, own(before)),
  ]);
  const ownDays = days.get(endUser) ?? [];
  return {
    days: ownDays.map((day) => ({ ...day, ...p95Of(p95.get(day.day)) })),
    total,
    ...(earlier && { before: earlier }),
  };
}

const p95Of = (p95Ms: number | undefined) => p95Ms !== undefined && { p95Ms };

async function readTotal(queries: Queries, condition: RawBuilder<unknown>): Promise<EndUserSums> {
  const [{ rows }, p95] = await Promise.all([
    sql<AmountsRow>`select ${amountColumns} from ${endUserSums} where ${condition}`.execute(queries),
    readP95(queries, condition, sql`''`),
  ]);
  return amountsOf(rows[0], p95.get(''));
}
