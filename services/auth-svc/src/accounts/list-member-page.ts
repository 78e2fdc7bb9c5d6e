import { type Database, sql } from '@tallyport/database';
import type { Member, MemberQuery } from '@tallyport/management';
import { emailColumn } from '../users/users.ts';
import { memberColumns, memberRecord } from './member-record.ts';

/** As many members as a response holds if the query sets no limit. */
const most = 10_000;

/** Lists the members of an account that the query finds, oldest first. */
export async function listMemberPage(
  { kysely }: Database,
  accountId: string,
  { limit = most, search, cursor }: MemberQuery,
): Promise<{ members: Member[]; nextCursor?: string }> {
  const rows = await kysely
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(memberColumns)
    .where('memberships.account_id', '=', accountId)
    .$if(search !== undefined, (query) => query.where(isNamed(search ?? '')))
    .$if(cursor !== undefined, (query) => query.where(isAfter(cursor ?? '', accountId)))
    .orderBy('memberships.created_at')
    .orderBy('users.id')
    .limit(limit + 1)
    .execute();
  const members = rows.slice(0, limit).map(memberRecord);
  const last = members.at(-1);
  return { members, ...(rows.length > limit && last && { nextCursor: last.userId }) };
}

const isNamed = (search: string) =>
  sql<boolean>`${emailColumn} ilike ${`%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`;

const isAfter = (cursor: string, accountId: string) =>
  sql<boolean>`(memberships.created_at, users.id) > (select created_at, user_id from memberships
    where user_id = ${cursor} and account_id = ${accountId})`;
