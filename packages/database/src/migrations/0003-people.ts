import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Users, memberships of accounts, invitations and sessions, permissions of keys, and the audit log. */
export const people: Migration = {
  async up(database: Kysely<unknown>) {
    await widenAccounts(database);
    await createUsers(database);
    await createMemberships(database);
    await createSessions(database);
    await createLinks(database);
    await widenKeys(database);
    await createAuditLog(database);
  },
};

async function widenAccounts(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('accounts')
    .addColumn('suspended_at', 'timestamptz')
    .addColumn('limits', 'jsonb')
    .addColumn('budget', 'jsonb')
    .addColumn('cache_ttl_seconds', 'integer')
    .addColumn('provider_key_mode', 'text', (column) => column.notNull().defaultTo('own_first'))
    .execute();
  await sql`alter table accounts add constraint accounts_provider_key_mode_is_known
    check (provider_key_mode in ('own_first', 'own_only', 'service_only'))`.execute(database);
}

async function createUsers(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addCheckConstraint('users_email_is_lower_case', sql`email = lower(email)`)
    .execute();
}

async function createMemberships(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('memberships')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('memberships_place', ['account_id', 'user_id'])
    .addCheckConstraint('memberships_role_is_known', sql`role in ('owner', 'admin', 'member')`)
    .execute();
  await database.schema.createIndex('memberships_user_id').on('memberships').column('user_id').execute();
}

async function createSessions(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('last_seen_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('sessions_user_id').on('sessions').column('user_id').execute();
  await database.schema.createIndex('sessions_expires_at').on('sessions').column('expires_at').execute();
}

/** Both kinds of link work once. An invitation is for a role in an account, a set-up link creates the first owner. */
async function createLinks(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('invitations_one_per_person', ['account_id', 'email'])
    .addCheckConstraint('invitations_role_is_known', sql`role in ('owner', 'admin', 'member')`)
    .execute();
  await database.schema
    .createTable('setup_links')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

async function widenKeys(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('api_keys')
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('is_admin', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('allowed_addresses', 'jsonb')
    .addColumn('limits', 'jsonb')
    .addColumn('budget', 'jsonb')
    .addColumn('cache_ttl_seconds', 'integer')
    .addColumn('previous_hash', 'text', (column) => column.unique())
    .addColumn('previous_until', 'timestamptz')
    .execute();
}

async function createAuditLog(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('audit_log')
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('detail', 'jsonb')
    .execute();
  await database.schema.createIndex('audit_log_of_account').on('audit_log').columns(['account_id', 'id']).execute();
  await sql`create function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception '% only grows', tg_table_name using errcode = 'restrict_violation'; end $$`.execute(
    database,
  );
  await sql`create trigger audit_log_only_grows before update or delete or truncate on audit_log
    for each statement execute function refuse_change()`.execute(database);
}
