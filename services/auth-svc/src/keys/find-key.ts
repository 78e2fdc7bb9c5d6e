import { type Queries, sql } from '@tallyport/database';
import { accountTermColumns } from '../callers/account-terms.ts';
import type { CallerTerms } from '../callers/caller-of.ts';

export interface FoundKey extends CallerTerms {
  isAdmin: boolean;
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
export const findKeyOf = (queries: Queries, { id, userId }: { id: string; userId: string }) =>
  found(workingKeys(queries).where('key.id', '=', id).where('key.user_id', '=', userId));

/** Finds an active key by its id, for work that goes on after the request that came with its text. */
export const findKeyById = (queries: Queries, id: string) => found(workingKeys(queries).where('key.id', '=', id));

async function found(query: ReturnType<typeof workingKeys>): Promise<FoundKey | undefined> {
  const row = await query.executeTakeFirst();
  if (row === undefined) return undefined;
  const { expires_at, previous_hash: _hash, previous_until: _until, ...key } = row;
  return { ...key, endsAt: expires_at ?? undefined };
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
      'key.allowed_tiers as allowedTiers',
      'key.allowed_mcp_tools as allowedMcpTools',
      'key.allowed_addresses as allowedAddresses',
      'key.limits',
      'key.budget',
      'key.end_user_budget as endUserBudget',
      'key.cache_ttl_seconds as cacheTtlSeconds',
      'key.prompt_caching as promptCaching',
      'key.guardrails',
      'project.allowed_tiers as projectAllowedTiers',
      'project.limits as projectLimits',
      'project.budget as projectBudget',
      'project.end_user_budget as projectEndUserBudget',
    ])
    .select(accountTermColumns)
    .where('key.revoked_at', 'is', null)
    .where((where) => where.or([where('key.expires_at', 'is', null), where('key.expires_at', '>', now)]))
    .where('account.suspended_at', 'is', null);

function earlier(one: Date | null, other: Date | null): Date | undefined {
  if (one && other) return one < other ? one : other;
  return one ?? other ?? undefined;
}
