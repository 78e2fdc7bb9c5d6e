import { type Queries, type ProviderKeyMode, sql } from '@tallyport/database';
import { hasMcpServers } from '../mcp-servers/has-mcp-servers.ts';
import { hasProviderKeys } from '../provider-keys/key-choice.ts';

export interface FoundKey {
  id: string;
  accountId: string;
  projectId: string | null;
  isAdmin: boolean;
  /** When this version of the key stops working: at the key's expiry, or earlier if it was rotated. */
  endsAt: Date | undefined;
  allowedModels: string[] | null;
  allowedProviders: string[] | null;
  allowedMcpTools: string[] | null;
  allowedAddresses: string[] | null;
  limits: unknown;
  budget: unknown;
  cacheTtlSeconds: number | null;
  guardrails: unknown;
  accountGuardrails: unknown;
  projectLimits: unknown;
  projectBudget: unknown;
  accountContentLog: unknown;
  accountLimits: unknown;
  accountBudget: unknown;
  accountCacheTtlSeconds: number | null;
  providerKeyMode: ProviderKeyMode;
  hasProviderKeys: boolean;
  hasMcpServers: boolean;
}

const now = sql<Date>`now()`;

/**
 * Finds the active key with this hash, and the settings of its project and account, in one query. The key must not be revoked or
 * expired, a rotated version must be within its overlap, and the account must not be suspended. The database's clock
 * decides.
 */
export async function findKey(queries: Queries, keyHash: string): Promise<FoundKey | undefined> {
  const row = await workingKeys(queries)
    .where((where) =>
      where.or([
        where('key.key_hash', '=', keyHash),
        where.and([where('key.previous_hash', '=', keyHash), where('key.previous_until', '>', now)]),
      ]),
    )
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { expires_at, previous_hash, previous_until, ...key } = row;
  const replacedAt = previous_hash === keyHash ? previous_until : null;
  return { ...key, endsAt: earlier(expires_at, replacedAt) };
}

/** Finds an active key of a user by its id, for a user who is known by another proof than the key's text. */
export async function findKeyOf(queries: Queries, { id, userId }: { id: string; userId: string }) {
  const row = await workingKeys(queries).where('key.id', '=', id).where('key.user_id', '=', userId).executeTakeFirst();
  if (row === undefined) return undefined;
  const { expires_at, previous_hash: _hash, previous_until: _until, ...key } = row;
  return { ...key, endsAt: expires_at ?? undefined } satisfies FoundKey;
}

const workingKeys = (queries: Queries) =>
  queries
    .selectFrom('api_keys as key')
    .innerJoin('accounts as account', 'account.id', 'key.account_id')
    .leftJoin('projects as project', 'project.id', 'key.project_id')
    .select([
      'key.id',
      'key.account_id as accountId',
      'key.project_id as projectId',
      'key.is_admin as isAdmin',
      'key.expires_at',
      'key.previous_hash',
      'key.previous_until',
      'key.allowed_models as allowedModels',
      'key.allowed_providers as allowedProviders',
      'key.allowed_mcp_tools as allowedMcpTools',
      'key.allowed_addresses as allowedAddresses',
      'key.limits',
      'key.budget',
      'key.cache_ttl_seconds as cacheTtlSeconds',
      'key.guardrails',
      'account.guardrails as accountGuardrails',
      'project.limits as projectLimits',
      'project.budget as projectBudget',
      'account.content_log as accountContentLog',
      'account.limits as accountLimits',
      'account.budget as accountBudget',
      'account.cache_ttl_seconds as accountCacheTtlSeconds',
      'account.provider_key_mode as providerKeyMode',
      hasProviderKeys('account.id').as('hasProviderKeys'),
      hasMcpServers('account.id').as('hasMcpServers'),
    ])
    .where('key.revoked_at', 'is', null)
    .where((where) => where.or([where('key.expires_at', 'is', null), where('key.expires_at', '>', now)]))
    .where('account.suspended_at', 'is', null);

function earlier(one: Date | null, other: Date | null): Date | undefined {
  if (one && other) return one < other ? one : other;
  return one ?? other ?? undefined;
}
