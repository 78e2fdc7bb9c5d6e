import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The addresses to which alerts of an account may send e-mail, once their owner has agreed. Those that alerts already have
 * count as confirmed: alerts must not fall silent with an upgrade.
 */
export const alertAddresses: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table alert_addresses (
      account_id text not null references accounts (id) on delete cascade,
      email text not null,
      token_hash text unique,
      sent_at timestamptz,
      confirmed_at timestamptz,
      primary key (account_id, email)
    )`.execute(database);
    await sql`insert into alert_addresses (account_id, email, confirmed_at)
      select distinct account_id, jsonb_array_elements_text(emails), now() from alerts
      where jsonb_typeof(emails) = 'array'`.execute(database);
  },
};
