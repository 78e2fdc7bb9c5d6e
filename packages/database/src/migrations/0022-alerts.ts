import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Alerts of accounts, what they have found, and what was sent about it. Events keep the alert's name and condition,
 * because they outlive it.
 */
export const alerts: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table alerts (
      id text primary key,
      account_id text not null references accounts (id) on delete cascade,
      name text not null,
      condition jsonb not null,
      webhook_url text,
      emails jsonb,
      enabled boolean not null default true,
      checked_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (account_id, name)
    )`.execute(database);
    await sql`create index alerts_due on alerts (checked_at nulls first) where enabled`.execute(database);
    await sql`create table alert_firings (
      alert_id text not null references alerts (id) on delete cascade,
      subject text not null,
      subject_name text not null,
      value double precision not null,
      since timestamptz not null default now(),
      primary key (alert_id, subject)
    )`.execute(database);
    await sql`create table alert_events (
      id text primary key,
      account_id text not null references accounts (id) on delete cascade,
      alert_id text not null,
      alert_name text not null,
      condition jsonb not null,
      kind text not null,
      subject text not null,
      subject_name text not null,
      value double precision,
      summary text not null,
      at timestamptz not null default now()
    )`.execute(database);
    await sql`create index alert_events_of_account on alert_events (account_id, at, id)`.execute(database);
    await sql`create index alert_events_time on alert_events (at)`.execute(database);
    await sql`create table alert_deliveries (
      id text primary key,
      event_id text not null references alert_events (id) on delete cascade,
      channel text not null,
      target text not null,
      attempts integer not null default 0,
      next_attempt_at timestamptz,
      delivered_at timestamptz,
      last_error text
    )`.execute(database);
    await sql`create index alert_deliveries_of_event on alert_deliveries (event_id)`.execute(database);
    await sql`create index alert_deliveries_due on alert_deliveries (next_attempt_at)
      where next_attempt_at is not null`.execute(database);
  },
};
