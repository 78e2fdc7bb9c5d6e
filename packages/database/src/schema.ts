import type { ColumnType, Generated, GeneratedAlways, Kysely, Selectable } from 'kysely';

type CreatedAt = ColumnType<Date, Date | undefined, never>;
/** Arrays are stored as jsonb: read as values, written as JSON text, the one form both drivers take unchanged. */
type JsonList = ColumnType<string[] | null, string | null | undefined, string | null>;
/** Whoever reads it says what it should be. */
type Json = ColumnType<unknown, string | null | undefined, string | null>;

export type MemberRole = 'owner' | 'admin' | 'member';
export type ProviderKeyMode = 'own_first' | 'own_only' | 'service_only';

export interface AccountsTable {
  id: string;
  name: string;
  created_at: CreatedAt;
  suspended_at: Date | null;
  limits: Json;
  budget: Json;
  cache_ttl_seconds: number | null;
  provider_key_mode: Generated<ProviderKeyMode>;
}

export interface UsersTable {
  id: string;
  /** Lower case. */
  email: string;
  password_hash: string;
  created_at: CreatedAt;
}

export interface MembershipsTable {
  account_id: string;
  user_id: string;
  role: MemberRole;
  created_at: CreatedAt;
}

export interface SessionsTable {
  id: string;
  /** Lower-case hex of the SHA-256 of what the cookie holds. */
  token_hash: string;
  user_id: string;
  created_at: CreatedAt;
  last_seen_at: Generated<Date>;
  expires_at: Date;
}

export interface InvitationsTable {
  id: string;
  token_hash: string;
  account_id: string;
  email: string;
  role: MemberRole;
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
}

/** Links that make the first owner. */
export interface SetupLinksTable {
  token_hash: string;
  created_at: CreatedAt;
  expires_at: Date;
}

/** Links that let somebody choose a new password; one for each person. */
export interface PasswordLinksTable {
  user_id: string;
  token_hash: string;
  /** Where it was made, and is told of when it is used. */
  account_id: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
}

/** The database refuses to change or delete its rows. */
export interface AuditLogTable {
  id: GeneratedAlways<string>;
  at: CreatedAt;
  account_id: string;
  actor: string;
  action: string;
  subject: string;
  detail: Json;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  /** The first characters, for people to recognise it by. */
  prefix: string;
  /** Lower-case hex of the SHA-256 of the key's text. The text itself is stored nowhere. */
  key_hash: string;
  created_at: CreatedAt;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  allowed_models: JsonList;
  allowed_providers: JsonList;
  /** Who made it; null for keys made by commands and at the start. */
  user_id: string | null;
  /** May use the management API. */
  is_admin: Generated<boolean>;
  allowed_addresses: JsonList;
  limits: Json;
  budget: Json;
  cache_ttl_seconds: number | null;
  /** The text before the last rotation, and until when it works. */
  previous_hash: string | null;
  previous_until: Date | null;
}

export interface CatalogueOverridesTable {
  kind: string;
  id: string;
  /** JSON `null` takes a model or provider away; the column itself is never null. */
  value: ColumnType<unknown, string, string>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface SecretsTable {
  id: string;
  purpose: string;
  /** Null for secrets of the installation itself. */
  account_id: string | null;
  /** The master key it was encrypted with. */
  key_id: string;
  sealed: string;
}

/** What is known of an account's key at a provider; its text is the secret of the same id. */
export interface ProviderKeysTable {
  id: string;
  account_id: string;
  provider: string;
  label: string;
  last_four: string;
  enabled: Generated<boolean>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

/** What the OAuth server remembers, by what it calls a model. */
export interface OauthRecordsTable {
  model: string;
  /** Of clients and grants their ids, of everything a secret could be taken from the SHA-256 of it, in lower-case hex. */
  id: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  grant_id: string | null;
  account_id: string | null;
  user_id: string | null;
  created_at: CreatedAt;
  expires_at: Date | null;
  consumed_at: Date | null;
  /** Of clients. */
  last_used_at: Date | null;
}

/** What came out of the journal and could not be written down. */
export interface UsageAsideTable {
  /** SHA-256 of the entry. */
  id: string;
  at: Generated<Date>;
  entry: Uint8Array;
  reason: string;
}

/** The usage tables are missing: their SQL is made from the usage fields in contracts. */
export interface Schema {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  audit_log: AuditLogTable;
  catalogue_overrides: CatalogueOverridesTable;
  invitations: InvitationsTable;
  memberships: MembershipsTable;
  oauth_records: OauthRecordsTable;
  password_links: PasswordLinksTable;
  provider_keys: ProviderKeysTable;
  secrets: SecretsTable;
  sessions: SessionsTable;
  setup_links: SetupLinksTable;
  usage_aside: UsageAsideTable;
  users: UsersTable;
}

/** What queries are made on: the database, or a transaction on it. */
export type Queries = Kysely<Schema>;

/** A row as it is read. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
