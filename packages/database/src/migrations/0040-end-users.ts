import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The end user of each record, their sums, and the budget that keys and projects give to each of theirs. The sums are
 * written by hour; those of past weeks are moved to days. `end_users` has the names that have sums of their own in a month.
 */
export const endUsers: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table usage_records add column end_user text`.execute(database);
    await sql`create index usage_records_of_end_user on usage_records (account_id, end_user, at)
      where end_user is not null`.execute(database);
    await sql`create table end_users (
      account_id text not null,
      month timestamptz not null,
      end_user text not null,
      primary key (account_id, month, end_user)
    )`.execute(database);
    await createSums(database, 'end_user_hours');
    await createSums(database, 'end_user_days');
    // An account has few hours, because they are moved to days after a week.
    await sql`create index end_user_days_of_account on end_user_days (account_id, at)`.execute(database);
    for (const table of ['api_keys', 'projects'])
      await sql`alter table ${sql.table(table)} add column end_user_budget jsonb`.execute(database);
  },
};

async function createSums(database: Kysely<unknown>, table: string): Promise<void> {
  await sql`create table ${sql.table(table)} (
    account_id text not null,
    end_user text not null,
    at timestamptz not null,
    key_id text not null,
    project_id text not null,
    requests bigint not null,
    tokens bigint not null,
    cost numeric(27, 15) not null,
    own_key_cost numeric(27, 15) not null,
    primary key (account_id, end_user, at, key_id, project_id)
  ) with (fillfactor = 80)`.execute(database);
}
