import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the lines of a batch may cost, and when that is held of its budgets again. Batches from before hold nothing. */
export const batchBudgets: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table batches
      add column estimate bigint,
      add column reserved bigint not null default 0,
      add column hold_at timestamptz`.execute(database);
    await sql`alter table batch_parts add column estimates jsonb not null default '[]'`.execute(database);
    await sql`create index batches_held on batches (hold_at) where hold_at is not null`.execute(database);
  },
};
