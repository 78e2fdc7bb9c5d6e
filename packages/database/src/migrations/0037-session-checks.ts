import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * When a session's identity provider is asked next whether the person is still there, and by which replica. The refresh
 * tokens are among the encrypted secrets, under the ids of their sessions, and end with them.
 */
export const sessionChecks: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table sessions
      add column check_at timestamptz,
      add column check_claim text,
      add column unanswered_since timestamptz`.execute(database);
    await sql`create index sessions_check_at on sessions (check_at) where check_at is not null`.execute(database);
    await sql`alter table secrets
      add column session_id text generated always as (case purpose when 'refresh-token' then id end) stored
        references sessions (id) on delete cascade`.execute(database);
    await sql`create index secrets_session_id on secrets (session_id) where session_id is not null`.execute(database);
  },
};
