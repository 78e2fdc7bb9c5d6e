import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sign-in with identity providers: who signed in, sign-ins in progress, and which sessions and memberships follow. */
export const identityProviders: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table user_identities (
      issuer text not null,
      subject text not null,
      user_id text not null references users (id) on delete cascade,
      created_at timestamptz not null default now(),
      last_sign_in_at timestamptz not null default now(),
      primary key (issuer, subject)
    )`.execute(database);
    await sql`create index user_identities_user on user_identities (user_id)`.execute(database);
    await sql`create table sign_in_flows (
      state_hash text primary key,
      browser_hash text not null,
      provider text not null,
      nonce text not null,
      code_verifier text not null,
      next text not null,
      expires_at timestamptz not null
    )`.execute(database);
    await sql`create index sign_in_flows_expiry on sign_in_flows (expires_at)`.execute(database);
    await sql`create table logout_tokens (
      token_hash text primary key,
      expires_at timestamptz not null
    )`.execute(database);
    await sql`create index logout_tokens_expiry on logout_tokens (expires_at)`.execute(database);
    await sql`alter table sessions
      add column identity_provider text,
      add column provider_session text,
      add column id_token text`.execute(database);
    await sql`create index sessions_of_provider on sessions (identity_provider, provider_session)
      where identity_provider is not null`.execute(database);
    await sql`alter table memberships add column identity_provider text`.execute(database);
  },
};
