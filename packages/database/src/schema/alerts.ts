import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, JsonList } from './columns.ts';

export interface AlertsTable {
  id: string;
  account_id: string;
  name: string;
  condition: ColumnType<unknown, string, string>;
  webhook_url: string | null;
  webhook_last_four: string | null;
  /** Null for the signed one. */
  webhook_format: 'slack' | 'teams' | null;
  emails: JsonList;
  enabled: Generated<boolean>;
  /** When a replica last claimed it for a check. */
  checked_at: Date | null;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

/** Addresses that alerts of an account name. They get e-mail once they are confirmed. */
export interface AlertAddressesTable {
  account_id: string;
  email: string;
  /** Of the link that confirms it; null without one, and once it was used. */
  token_hash: string | null;
  /** When the link was sent. */
  sent_at: Date | null;
  confirmed_at: Date | null;
}

/** What alerts have found and is not resolved. */
export interface AlertFiringsTable {
  alert_id: string;
  /** The id of what the finding is about: a key, a provider or the account. */
  subject: string;
  subject_name: string;
  value: number;
  since: Generated<Date>;
}

/** The history of alerts. */
export interface AlertEventsTable {
  id: string;
  account_id: string;
  alert_id: string;
  alert_name: string;
  condition: ColumnType<unknown, string, never>;
  kind: 'fired' | 'resolved' | 'test';
  subject: string;
  subject_name: string;
  value: number | null;
  summary: string;
  at: Generated<Date>;
}

/** Messages about events: one for each receiver. */
export interface AlertDeliveriesTable {
  id: string;
  event_id: string;
  channel: 'webhook' | 'email';
  /** The URL or the address. */
  target: string;
  attempts: Generated<number>;
  /** Null once it is delivered or given up. */
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  last_error: string | null;
}
