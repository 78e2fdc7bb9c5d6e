export { type AccountKeys, type OwnKeys, createAccountKeys } from './account-keys/account-keys.ts';
export { type AccountTargets, accountTargets } from './account-keys/account-targets.ts';
export {
  createDispatch,
  type Dispatch,
  type DispatchOptions,
  type ServedCompletion,
  type ServedStream,
} from './dispatch.ts';
export { type LiveTargets, withCustomProviders } from './custom-targets.ts';
export type { FailureType } from './failure.ts';
export { createImageDispatch, type ImageDispatchOptions } from './images/image-dispatch.ts';
export * from './images/base64.ts';
export type { ImageDispatch, ImageOutcome, ImageTask, MadeImage, ServedImages } from './images/image-task.ts';
export { defaultImageUrlSettings, type ImageUrlSettings } from './inline/image-fetcher.ts';
export { createGate, type Gate } from './inline/gate.ts';
export { type ImageType, imageTypeOf, markBytes } from './inline/image-type.ts';
export type { ChatJob } from './job.ts';
export { type AttemptRecord, type EndReason, type Outcome, promptLength } from './outcome.ts';
export { type ModelIndex, indexCatalogue } from './plan/model-index.ts';
export { type Need, needsOf } from './plan/needs.ts';
export { unsupportedIn } from './plan/unsupported.ts';
export { type Exclusion, type ExclusionReason, isAllowed } from './plan/exclude.ts';
export { type Candidate, type CandidateReason, ailment } from './plan/order.ts';
export { imageRefusalIn } from './plan/image-refusal.ts';
export { type Plan, type PlanGround, type PlanQuestion, planChat } from './plan/plan.ts';
export { type ImageQuestion, planImage } from './plan/plan-image.ts';
export type { Factor, Score } from './plan/score.ts';
export { type BreakerSettings, type FactorName, type RoutingSettings, defaultRouting, halfLifeOf } from './settings.ts';
export type { BreakerState } from './standing/breakers.ts';
export { type Share, shareHealth } from './standing/share.ts';
export { type LastFault, type Standing, type Standings, createStandings, offerKey } from './standing/standings.ts';
export { type ResolvedModel, resolveModel } from './plan/resolve.ts';
export type { RenderChunk } from './stream/chat-stream.ts';
export { type ProviderAccess, type Target, type Targets, readTargets } from './targets.ts';
export { withCost } from './price/cost.ts';
export * from './price/money.ts';
export { isAbsurdCost, price, type Price, type Used } from './price/price.ts';
export * from './price/tokens.ts';
export { type Timeouts, defaultTimeouts } from './timeouts.ts';
