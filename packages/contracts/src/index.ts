export * from './account-tags.ts';
export * from './api-key.ts';
export * from './auth.ts';
export * from './batch-budget.ts';
export * from './batch-line.ts';
export * from './budget.ts';
export * from './budget-period.ts';
export * from './by-name.ts';
export * from './caller.ts';
export * from './catalog.ts';
export * from './content.ts';
export * from './default-account.ts';
export { chatErrors } from './error-forms/chat-errors.ts';
export type * from './error-forms/error-form.ts';
export * from './error-forms/gemini-errors.ts';
export * from './error-forms/google-session-errors.ts';
export * from './error-forms/interactions-errors.ts';
export * from './error-forms/messages-errors.ts';
export * from './error-forms/openai-session-errors.ts';
export type * from './error-forms/session-errors.ts';
export * from './error-forms/responses-errors.ts';
export * from './end-user.ts';
export type * from './endpoint.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export * from './exchange.ts';
export * from './guard-webhooks.ts';
export * from './guardrails.ts';
export * from './key-settings.ts';
export * from './ledger.ts';
export * from './manage.ts';
export * from './mcp-challenge.ts';
export * from './mcp-servers.ts';
export * from './once-per.ts';
export * from './principal.ts';
export * from './prompt-caching.ts';
export * from './random-hex.ts';
export * from './recalculation.ts';
export * from './record-id.ts';
export * from './provider-key-test.ts';
export * from './provider-status.ts';
export * from './role.ts';
export * from './routes.ts';
export * from './score-weights.ts';
export * from './service.ts';
export * from './services.ts';
export * from './usage.ts';
export * from './uses.ts';
export * from './usage-fields.ts';
export { mostPlannedOffers, planOfText, textOfPlan, type UsagePlan } from './usage-plan.ts';
export * from './reconciliation.ts';
export * from './vendor-batches.ts';
export * from './vendor-usage.ts';
export * from './visitor-token.ts';
export * from './paid-operations.ts';
export {
  boundedText,
  longestTierName,
  longestUsageText,
  mostUnpricedClasses,
  type UsageDetails,
  type UsageFlag,
} from './usage-values.ts';
