import {
  knownBudgetSchema,
  knownContentLogSchema,
  knownGuardrailsSchema,
  knownLimitsSchema,
  knownScoreWeightsSchema,
} from '@tallyport/contracts';
import type { Row } from '@tallyport/database';
import type { Account } from '@tallyport/management';

/** The API form of a row: dates as strings, absent values omitted. */
export const accountRecord = (row: Row<'accounts'>): Account => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  ...(row.suspended_at && { suspendedAt: row.suspended_at.toISOString() }),
  ...(row.tags !== null && { tags: row.tags }),
  ...(row.limits !== null && { limits: knownLimitsSchema.parse(row.limits) }),
  ...(row.budget !== null && { budget: knownBudgetSchema.parse(row.budget) }),
  ...(row.cache_ttl_seconds !== null && { cacheTtlSeconds: row.cache_ttl_seconds }),
  ...(row.prompt_caching !== null && { promptCaching: row.prompt_caching }),
  ...(row.score_weights !== null && { scoreWeights: knownScoreWeightsSchema.parse(row.score_weights) }),
  ...(row.guardrails !== null && { guardrails: knownGuardrailsSchema.parse(row.guardrails) }),
  ...(row.content_log !== null && { contentLog: knownContentLogSchema.parse(row.content_log) }),
  providerKeyMode: row.provider_key_mode,
});
