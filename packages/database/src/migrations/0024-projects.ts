import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Projects of accounts, their members, and the project of a key. Members leave with their membership of the account. A
 * project with working keys is not deleted; revoked keys lose it.
 */
export const projects: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table projects (
      id text primary key,
      account_id text not null references accounts (id) on delete cascade,
      name text not null,
      limits jsonb,
      budget jsonb,
      created_at timestamptz not null default now()
    )`.execute(database);
    await sql`create unique index projects_names on projects (account_id, lower(name))`.execute(database);
    await sql`create table project_members (
      project_id text not null references projects (id) on delete cascade,
      account_id text not null,
      user_id text not null,
      role text not null check (role in ('admin', 'member')),
      created_at timestamptz not null default now(),
      primary key (project_id, user_id),
      foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
    )`.execute(database);
    await sql`create index project_members_user on project_members (account_id, user_id)`.execute(database);
    await sql`alter table api_keys add column project_id text references projects (id) on delete set null`.execute(
      database,
    );
    await sql`create index api_keys_of_project on api_keys (project_id) where project_id is not null`.execute(database);
  },
};
