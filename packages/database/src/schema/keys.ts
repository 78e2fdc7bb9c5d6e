import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { CreatedAt, Json, JsonList } from './columns.ts';

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
  allowed_tiers: JsonList;
  allowed_mcp_tools: JsonList;
  /** The user who created it; null for keys created by commands and at start-up. */
  user_id: string | null;
  project_id: string | null;
  /** Whether the key may use the management API. */
  is_admin: Generated<boolean>;
  allowed_addresses: JsonList;
  limits: Json;
  budget: Json;
  /** Of each end user. */
  end_user_budget: Json;
  cache_ttl_seconds: number | null;
  prompt_caching: 'off' | 'auto' | null;
  /** The hash of the text before the last rotation, and until when it works. */
  previous_hash: string | null;
  previous_until: Date | null;
  /** Restrictions that an admin set on a key of another user. */
  bounds: Json;
  guardrails: Json;
}

export interface CatalogueOverridesTable {
  kind: string;
  id: string;
  /** JSON `null` removes a model or provider; the column itself is never null. */
  value: ColumnType<unknown, string, string>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface PriceListsTable {
  /** The hash of the prices. */
  id: string;
  prices: ColumnType<unknown, string, never>;
}

/** The versions of the catalogue that were in force, and their prices. */
export interface PriceVersionsTable {
  version: string;
  list: string;
  since: ColumnType<Date, Date | undefined, never>;
  /** When it was last in force, to about an hour. */
  seen_at: ColumnType<Date, Date | undefined, Date>;
}

export interface SecretsTable {
  id: string;
  purpose: string;
  /** Null for secrets of the installation. */
  account_id: string | null;
  /** The master key with which it was encrypted. */
  key_id: string;
  sealed: string;
  /** The id of a refresh token, which is that of its session. */
  session_id: GeneratedAlways<string | null>;
}

/** Webhooks that guardrails may name. Their secrets are in `secrets`, under the same id. */
export interface GuardWebhooksTable {
  id: string;
  account_id: string;
  name: string;
  url: string;
  /** Of the secret. */
  last_four: string;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  /** Until then, a process that found it failing does not ask it. */
  paused_until: Date | null;
  /** Why, as a sentence. */
  problem: string | null;
}

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

/** An account's key at a provider. Its text is the secret with the same id. */
export interface ProviderKeysTable {
  id: string;
  account_id: string;
  provider: string;
  label: string;
  last_four: string;
  enabled: Generated<boolean>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  last_used_at: Date | null;
  last_worked_at: Date | null;
  /** How the last attempt with it failed, as its type. */
  last_error: string | null;
  last_error_at: Date | null;
  /** The place among the keys of its provider; null until they are ordered. */
  position: number | null;
}

/** Named routes of an account: models that answer for a name of their own. */
export interface RoutesTable {
  account_id: string;
  name: string;
  definition: ColumnType<unknown, string, string>;
  created_at: CreatedAt;
  updated_at: ColumnType<Date, Date | undefined, Date>;
  /** When its targets or their weights last changed. */
  shares_since: ColumnType<Date, Date | undefined, Date>;
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
