export {
  createDispatch,
  type Dispatch,
  type DispatchOptions,
  type ServedCompletion,
  type ServedStream,
} from './dispatch.ts';
export type { FailureType } from './failure.ts';
export { defaultImageUrlSettings, type ImageUrlSettings } from './inline/image-inliner.ts';
export type { ChatJob } from './job.ts';
export type { AttemptRecord, EndReason, Outcome } from './outcome.ts';
export { type ModelIndex, indexCatalogue } from './plan/model-index.ts';
export { type Need, needsOf } from './plan/needs.ts';
export {
  type Candidate,
  type Exclusion,
  type ExclusionReason,
  type Plan,
  type PlanGround,
  type PlanQuestion,
  planChat,
} from './plan/plan.ts';
export type { RenderChunk } from './stream/chat-stream.ts';
export { type ProviderAccess, type Target, type Targets, readTargets } from './targets.ts';
export { type Timeouts, defaultTimeouts } from './timeouts.ts';
