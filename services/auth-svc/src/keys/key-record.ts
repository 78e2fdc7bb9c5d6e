import { type ApiKey, knownGuardrailsSchema, type KeyChanges } from '@tallyport/contracts';
import type { Row } from '@tallyport/database';
import { jsonText } from '@tallyport/management-server';
import { isPlaygroundKey } from './playground-key-id.ts';
import { storedLimits } from './stored-limits.ts';

export const keyColumns = [
  'id',
  'name',
  'prefix',
  'user_id',
  'project_id',
  'is_admin',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'previous_until',
  'allowed_models',
  'allowed_providers',
  'allowed_tiers',
  'allowed_mcp_tools',
  'allowed_addresses',
  'limits',
  'budget',
  'end_user_budget',
  'cache_ttl_seconds',
  'prompt_caching',
  'guardrails',
] as const satisfies readonly (keyof Row<'api_keys'>)[];

type KeyRow = Pick<Row<'api_keys'>, (typeof keyColumns)[number]>;

/** The API form of a row: dates as strings, absent values omitted. */
export const keyRecord = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  createdAt: row.created_at.toISOString(),
  ...(row.user_id !== null && { userId: row.user_id }),
  ...(row.is_admin && { admin: true as const }),
  ...(isPlaygroundKey(row.id) && { playground: true as const }),
  ...settingsOf(row),
  ...(row.revoked_at && { revokedAt: row.revoked_at.toISOString() }),
  ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
  ...(row.previous_until && { previousWorksUntil: row.previous_until.toISOString() }),
});

const settingsOf = (row: KeyRow): Partial<ApiKey> => ({
  ...(row.expires_at && { expiresAt: row.expires_at.toISOString() }),
  ...(row.project_id !== null && { projectId: row.project_id }),
  ...(row.allowed_models && { allowedModels: row.allowed_models }),
  ...(row.allowed_providers && { allowedProviders: row.allowed_providers }),
  ...(row.allowed_tiers && { allowedTiers: row.allowed_tiers }),
  ...(row.allowed_mcp_tools && { allowedMcpTools: row.allowed_mcp_tools }),
  ...(row.allowed_addresses && { allowedAddresses: row.allowed_addresses }),
  ...storedLimits(row),
  ...(row.cache_ttl_seconds !== null && { cacheTtlSeconds: row.cache_ttl_seconds }),
  ...(row.prompt_caching !== null && { promptCaching: row.prompt_caching }),
  ...(row.guardrails !== null && { guardrails: knownGuardrailsSchema.parse(row.guardrails) }),
});

/** The columns of settings. Omitted settings stay unchanged. */
export const settingColumns = (settings: KeyChanges) => ({
  name: settings.name,
  expires_at: typeof settings.expiresAt === 'string' ? new Date(settings.expiresAt) : settings.expiresAt,
  project_id: settings.projectId,
  allowed_models: jsonText(settings.allowedModels),
  allowed_providers: jsonText(settings.allowedProviders),
  allowed_tiers: jsonText(settings.allowedTiers),
  allowed_mcp_tools: jsonText(settings.allowedMcpTools),
  allowed_addresses: jsonText(settings.allowedAddresses),
  limits: jsonText(settings.limits),
  budget: jsonText(settings.budget),
  end_user_budget: jsonText(settings.endUserBudget),
  cache_ttl_seconds: settings.cacheTtlSeconds,
  prompt_caching: settings.promptCaching,
  guardrails: jsonText(settings.guardrails),
});
