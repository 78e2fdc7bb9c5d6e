import type { Role } from '@tallyport/contracts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { CreatedAt, Json, JsonList } from './columns.ts';

export type ProviderKeyMode = 'own_first' | 'own_only' | 'service_only';

export interface AccountsTable {
  id: string;
  name: string;
  created_at: CreatedAt;
  suspended_at: Date | null;
  limits: Json;
  budget: Json;
  cache_ttl_seconds: number | null;
  prompt_caching: 'off' | 'auto' | null;
  provider_key_mode: Generated<ProviderKeyMode>;
  guardrails: Json;
  content_log: Json;
  /** Changes with the routes, and is never used again; null without routes. */
  routes_version: string | null;
  score_weights: Json;
  tags: ColumnType<string[] | null, string | null | undefined, string | null>;
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
  /** When the provider is asked next whether the person is still there; null if it is not asked. */
  check_at: Date | null;
  /** The claim of the replica that asks at present. */
  check_claim: string | null;
  /** Since when the provider has not answered; null after an answer. */
  unanswered_since: Date | null;
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

/** A part of an account with limits and a budget of its own. */
export interface ProjectsTable {
  id: string;
  account_id: string;
  name: string;
  allowed_tiers: JsonList;
  limits: Json;
  budget: Json;
  /** Of each end user. */
  end_user_budget: Json;
  created_at: CreatedAt;
}

/** Members of an account who belong to one of its projects. */
export interface ProjectMembersTable {
  project_id: string;
  account_id: string;
  user_id: string;
  role: 'admin' | 'member';
  /** The provider whose claims decide about it; null for those made by hand. */
  identity_provider: string | null;
  created_at: CreatedAt;
}
