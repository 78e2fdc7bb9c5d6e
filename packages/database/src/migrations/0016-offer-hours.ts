import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Calls of providers by hour and offer, of all accounts, and how long those that succeeded took, in buckets. They are
 * kept for ninety days.
 */
export const offerHours: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table offer_hours (
      at timestamptz not null,
      provider text not null,
      model text not null,
      attempts bigint not null,
      failed bigint not null,
      rescued bigint not null,
      primary key (at, provider, model)
    )`.execute(database);
    await sql`create table offer_latencies (
      at timestamptz not null,
      provider text not null,
      model text not null,
      bucket integer not null,
      attempts bigint not null,
      primary key (at, provider, model, bucket)
    )`.execute(database);
  },
};
