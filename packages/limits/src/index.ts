export type { Leave } from './held-share.ts';
export { type Concurrency, createConcurrency } from './concurrency.ts';
export { type ConcurrencyRule, concurrencyRules } from './concurrency-rules.ts';
export { limitDecisions, type LimitScope, limitResultOf } from './decisions.ts';
export { createFairTurns, type FairTurns } from './fair-turns.ts';
export { anthropicLimits, joinedLimits, type LimitStanding, requestHeaders, tokenHeaders } from './headers.ts';
export { createLocalWindows, type LocalWindows } from './local-windows.ts';
export { rateLimited } from './refusal.ts';
export { refusalAnswer } from './refusal-answer.ts';
export type { LimitVerdict } from './request-counter.ts';
export { joinReplicas, type Replicas } from './replicas.ts';
export { createRequestLimits, type RequestLimits, type StandingListener } from './request-limits.ts';
export type { RequestDefaults } from './request-rules.ts';
export { createRequestWindows, type RequestWindows } from './request-windows.ts';
export type { RuleScope } from './rule-scope.ts';
export {
  createTokenLimits,
  type Reservation,
  type TokenLimits,
  type TokenLimitsOptions,
  type TokenRefusal,
} from './token-limits.ts';
export { networkOf } from './network.ts';
export { createRecordRefusal, type RecordRefusal } from './refusals/record-refusals.ts';
export { isRefusal, type RefusedRequest } from './refusals/refusal-record.ts';
export { refusalsPerMinute } from './refusals/refusal-sampler.ts';
