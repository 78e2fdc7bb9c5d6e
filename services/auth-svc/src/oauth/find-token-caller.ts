import { type Caller, knownLimitsSchema } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { contentLogOf } from '../contents/content-log-setting.ts';
import { budgetsOf } from '../keys/budgets-of.ts';
import { guardrailsOf } from '../keys/guardrails.ts';
import { hasMcpServers } from '../mcp-servers/has-mcp-servers.ts';
import { hasProviderKeys, keyChoice } from '../provider-keys/key-choice.ts';
import { keyIdOfClient } from '@tallyport/management';
import { partOf } from './resources.ts';
import { tokenModels } from './records.ts';

/**
 * Returns the caller with this access token; `null` if it is unknown or expired, its account is suspended, or the user
 * no longer belongs to the account. The database's clock decides.
 */
export async function findTokenCaller(
  { kysely }: Database,
  { tokenHash, publicUrl }: { tokenHash: string; publicUrl: string },
): Promise<Caller | null> {
  const row = await kysely
    .selectFrom('oauth_records as token')
    .innerJoin('accounts', 'accounts.id', 'token.account_id')
    .leftJoin('memberships as place', (join) =>
      join.onRef('place.account_id', '=', 'token.account_id').onRef('place.user_id', '=', 'token.user_id'),
    )
    .select([
      'token.payload',
      'token.expires_at',
      'token.account_id',
      'token.user_id',
      'accounts.limits',
      'accounts.budget',
    ])
    .select(['accounts.cache_ttl_seconds', 'accounts.provider_key_mode', 'accounts.guardrails'])
    .select('accounts.content_log')
    .select(hasProviderKeys('accounts.id').as('has_provider_keys'))
    .select(hasMcpServers('accounts.id').as('has_mcp_servers'))
    .where('token.id', '=', tokenHash)
    .where('token.model', 'in', tokenModels)
    .where('token.expires_at', '>', sql<Date>`now()`)
    .where('accounts.suspended_at', 'is', null)
    .where((where) => where.or([where('token.user_id', 'is', null), where('place.user_id', 'is not', null)]))
    .executeTakeFirst();
  if (row === undefined || row.account_id === null || row.expires_at === null) return null;
  const { aud, scope, clientId } = row.payload;
  const resource = partOf(publicUrl, aud);
  if (resource === undefined) return null;
  const account = row.limits === null ? undefined : knownLimitsSchema.parse(row.limits);
  const tokensPerMinute = account?.tokensPerMinute;
  return {
    principal: {
      accountId: row.account_id,
      keyId: keyIdOfClient(String(clientId), row.user_id),
      ...(tokensPerMinute !== undefined && { tokensPerMinute: { account: tokensPerMinute } }),
      ...(row.cache_ttl_seconds !== null && { cacheTtlSeconds: row.cache_ttl_seconds }),
      ...budgetsOf({ account: row.budget }),
      ...guardrailsOf(row.guardrails),
      ...contentLogOf(row.content_log),
      ...(row.has_mcp_servers && { mcpServers: true }),
      ...keyChoice(row.provider_key_mode, row.has_provider_keys),
    },
    expiresAt: row.expires_at.toISOString(),
    limits: { ...(account && { account }) },
    oauth: { resource, scopes: typeof scope === 'string' ? scope.split(' ') : [] },
  };
}
