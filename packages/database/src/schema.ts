import type { Role } from '@switchyard/contracts';
import type { ColumnType, Generated, GeneratedAlways, Kysely, Selectable } from 'kysely';

type CreatedAt = ColumnType<Date, Date | undefined, never>;
/**
 * Arrays are stored as jsonb: read as values, and written as JSON text, the only form that both drivers pass on
 * unchanged.
 */
type JsonList = ColumnType<string[] | null, string | null | undefined, string | null>;
/** Stored JSON. The reader validates it. */
type Json = ColumnType<unknown, string | null | undefined, string | null>;

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
  guardrails: Json;
}

export interface UsersTable {
  id: string;
  /** Lower case and unique. A generated value where the address is in `shared_email`. */
  email: string;
  /** Lower case. The address of a user who registered it when another user already had it. */
  shared_email: string | null;
  password_hash: string;
  created_at: CreatedAt;
}

export interface MembershipsTable {
  account_id: string;
  user_id: string;
  role: Role;
  created_at: CreatedAt;
  /** The identity provider whose claims decide about the membership; null for members who were invited. */
  identity_provider: string | null;
}

export interface SessionsTable {
  id: string;
  /** Lower-case hex of the SHA-256 of the cookie's value. */
  token_hash: string;
  user_id: string;
  created_at: CreatedAt;
  last_seen_at: Generated<Date>;
  expires_at: Date;
  /** Null for a session that a password or a link started. */
  identity_provider: string | null;
  /** The provider's id of the session (`sid`). */
  provider_session: string | null;
  /** Sent back to the provider when the user signs out there. */
  id_token: string | null;
}

/** A person at an identity provider, and the user they are here. */
export interface UserIdentitiesTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: CreatedAt;
  last_sign_in_at: Generated<Date>;
}

/** Sign-ins that were sent to an identity provider. A callback uses one up. */
export interface SignInFlowsTable {
  state_hash: string;
  /** The hash of the browser's cookie: no other browser can finish the sign-in. */
  browser_hash: string;
  provider: string;
  nonce: string;
  code_verifier: string;
  /** The page of this site to continue with. */
  next: string;
  expires_at: Date;
}

/** Logout tokens that were used, kept while they would be valid. */
export interface LogoutTokensTable {
  token_hash: string;
  expires_at: Date;
}

export interface InvitationsTable {
  id: string;
  token_hash: string;
  account_id: string;
  email: string;
  role: Role;
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
}

/** Links that create the first owner. */
export interface SetupLinksTable {
  token_hash: string;
  created_at: CreatedAt;
  expires_at: Date;
}

/** Links for setting a new password; one per user. */
export interface PasswordLinksTable {
  user_id: string;
  token_hash: string;
  /** The account in which it was created, whose audit log records its use. */
  account_id: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
}

/** The database refuses updates and deletions of its rows. */
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
  /** The first characters of the key, so that people recognise it. */
  prefix: string;
  /** Lower-case hex of the SHA-256 of the key's text. The text itself is not stored. */
  key_hash: string;
  created_at: CreatedAt;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  allowed_models: JsonList;
  allowed_providers: JsonList;
  allowed_mcp_tools: JsonList;
  /** The user who created it; null for keys created by commands and at start-up. */
  user_id: string | null;
  project_id: string | null;
  /** Whether the key may use the management API. */
  is_admin: Generated<boolean>;
  allowed_addresses: JsonList;
  limits: Json;
  budget: Json;
  cache_ttl_seconds: number | null;
  /** The hash of the text before the last rotation, and until when it works. */
  previous_hash: string | null;
  previous_until: Date | null;
  /** Restrictions that an admin set on a key of another user. */
  bounds: Json;
  guardrails: Json;
}

/** A part of an account with limits and a budget of its own. */
export interface ProjectsTable {
  id: string;
  account_id: string;
  name: string;
  limits: Json;
  budget: Json;
  created_at: CreatedAt;
}

/** Members of an account who belong to one of its projects. */
export interface ProjectMembersTable {
  project_id: string;
  account_id: string;
  user_id: string;
  role: 'admin' | 'member';
  created_at: CreatedAt;
}

export interface CatalogueOverridesTable {
  kind: string;
  id: string;
  /** JSON `null` removes a model or provider; the column itself is never null. */
  value: ColumnType<unknown, string, string>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface SecretsTable {
  id: string;
  purpose: string;
  /** Null for secrets of the installation. */
  account_id: string | null;
  /** The master key with which it was encrypted. */
  key_id: string;
  sealed: string;
}

/** An account's key at a provider. Its text is the secret with the same id. */
/** MCP servers that an account registered. Their secrets are in `secrets`, under the same id. */
export interface McpServersTable {
  id: string;
  account_id: string;
  name: string;
  url: string;
  /** How to authenticate, without the secret. */
  auth: ColumnType<unknown, string, string>;
  enabled: Generated<boolean>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

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

/** State of the OAuth server, by its model name. */
export interface OauthRecordsTable {
  model: string;
  /** The id of a client or grant. For everything that works as a secret, the lower-case hex of its SHA-256. */
  id: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  grant_id: string | null;
  account_id: string | null;
  user_id: string | null;
  created_at: CreatedAt;
  expires_at: Date | null;
  consumed_at: Date | null;
  /** Set for clients only. */
  last_used_at: Date | null;
}

/** Journal entries that could not be stored as records. */
export interface UsageAsideTable {
  /** SHA-256 of the entry. */
  id: string;
  at: Generated<Date>;
  entry: Uint8Array;
  reason: string;
}

/** A key that a workload got in exchange for a token. Its rule in the identity document has its settings. */
export interface WorkloadKeysTable {
  key_hash: string;
  rule: string;
  /** The subject of the token, unique at the issuer of the rule. */
  subject: string;
  created_at: CreatedAt;
  expires_at: Date;
}

export interface AlertsTable {
  id: string;
  account_id: string;
  name: string;
  condition: ColumnType<unknown, string, string>;
  webhook_url: string | null;
  emails: JsonList;
  enabled: Generated<boolean>;
  /** When a replica last claimed it for a check. */
  checked_at: Date | null;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
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

/** Does not include the usage tables, whose SQL is built from the usage fields in contracts. */
export interface Schema {
  accounts: AccountsTable;
  alert_deliveries: AlertDeliveriesTable;
  alert_events: AlertEventsTable;
  alert_firings: AlertFiringsTable;
  alerts: AlertsTable;
  api_keys: ApiKeysTable;
  audit_log: AuditLogTable;
  catalogue_overrides: CatalogueOverridesTable;
  invitations: InvitationsTable;
  logout_tokens: LogoutTokensTable;
  memberships: MembershipsTable;
  mcp_servers: McpServersTable;
  oauth_records: OauthRecordsTable;
  password_links: PasswordLinksTable;
  project_members: ProjectMembersTable;
  projects: ProjectsTable;
  provider_keys: ProviderKeysTable;
  secrets: SecretsTable;
  sessions: SessionsTable;
  setup_links: SetupLinksTable;
  sign_in_flows: SignInFlowsTable;
  usage_aside: UsageAsideTable;
  user_identities: UserIdentitiesTable;
  users: UsersTable;
  workload_keys: WorkloadKeysTable;
}

/** The database or a transaction, on which queries run. */
export type Queries = Kysely<Schema>;

/** A row as returned by a select. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
