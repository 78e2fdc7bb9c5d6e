export { genAiProviderName } from '@tallyport/providers';
export type { AttemptRecord, AttemptRoute, RequestOutcome } from './attempts/outcome.ts';
export { type AudioDispatch, createSpeechDispatch, createTranscriptionDispatch } from './audio/audio-dispatch.ts';
export type { Detour } from './attempts/detour.ts';
export { groundOfDeferrable } from './plan/deferrable-ground.ts';
export type { AudioOutcome } from './audio/audio-outcome.ts';
export { batchedCall, mayBeBatched } from './batches/batched-call.ts';
export { type BatchPlace, createVendorBatches, type OpenedVendorBatch } from './batches/vendor-batches.ts';
export type { CallDispatch, ServedCall } from './calls/call-job.ts';
export {
  createDispatch,
  type Dispatch,
  type DispatchOptions,
  type ServedCompletion,
  type ServedStream,
} from './chat/chat-dispatch.ts';
export type { ChatJob } from './chat/chat-job.ts';
export type { AnswerFacts, ChatOutcome } from './chat/chat-outcome.ts';
export type { CountJob } from './counting/counting-question.ts';
export { type VendorCount, createPromptCounter, type PromptCounter } from './counting/prompt-counter.ts';
export { type Lane, laneOf } from './chat/native/native-attempt.ts';
export type { RenderChunk } from './chat/stream/stream-output.ts';
export { createDecisionDispatch, type ServedDecisions } from './decisions/decision-dispatch.ts';
export { createEmbeddingDispatch, type ServedEmbeddings } from './embeddings/embedding-dispatch.ts';
export type { VectorText } from './embeddings/vector.ts';
export type { EndReason, FailureType } from './failure/attempt-failure.ts';
export * from './images/base64.ts';
export { createImageDispatch, type ImageDispatchOptions } from './images/image-dispatch.ts';
export type {
  ImageDispatch,
  ImageOutcome,
  ImageTask,
  MadeImage,
  PartialImage,
  ServedImages,
} from './images/image-task.ts';
export type { HoldBytes } from './inline/download.ts';
export { createGate, type Gate } from './inline/gate.ts';
export { createModerationDispatch, type ServedModerations } from './moderations/moderation-dispatch.ts';
export { createRerankDispatch, type ServedRanking } from './rerank/rerank-dispatch.ts';
export { createKeyChecker, type KeyChecker, type KeyState } from './listing/key-checker.ts';
export { createModelLister, type ListedModel, type ModelLister } from './listing/model-lister.ts';
export { isAllowed } from './plan/exclude.ts';
export { errorAttempts } from './attempts/exhausted.ts';
export { imageRefusalIn } from './plan/image-refusal.ts';
export { type ModelIndex, indexCatalogue } from './plan/model-index.ts';
export { needsOf } from './plan/needs.ts';
export { askedFallback, type Fallback } from './plan/fallback.ts';
export { bestFirst } from './plan/best-first.ts';
export { healthyFirst, plansInTurn } from './plan/healthy-first.ts';
export { type Candidate, type CandidateReason, ailment } from './plan/order.ts';
export type { CallQuestion } from './plan/plan-call.ts';
export { planDecisions } from './plan/plan-decisions.ts';
export { planEmbeddings } from './plan/plan-embeddings.ts';
export { planModerations } from './plan/plan-moderations.ts';
export { planRealtime } from './plan/plan-realtime.ts';
export { planRerank } from './plan/plan-rerank.ts';
export { planSpeech } from './plan/plan-speech.ts';
export { planTranscriptions } from './plan/plan-transcriptions.ts';
export { planTranscriptionSession } from './plan/plan-transcription-session.ts';
export {
  type Plan,
  type PlanGround,
  type PlannedRoute,
  type PlanQuestion,
  planChat,
  withoutExploring,
} from './plan/plan.ts';
export type { WhatIf, WhatIfs } from './plan/what-if.ts';
export { planImage } from './plan/plan-image.ts';
export { offersBefore, routedPlan } from './plan/turns.ts';
export { findModel, resolveModel } from './plan/resolve.ts';
export { modelLabel, unlisted, type UnknownModels } from './plan/unknown-model.ts';
export { untakenOfChat, untakenOfImages } from './plan/untaken.ts';
export { type PassedOver, untriedModels, untriedOffers } from './plan/untried.ts';
export { unsupportedByOffer } from './plan/unsupported.ts';
export { createRealtimeDispatch, type RealtimeDispatch, type ServedSession } from './realtime/realtime-dispatch.ts';
export { defaultRouting, halfLifeOf, prefixFallbacks, type RoutingSettings } from './settings.ts';
export { type Breakers, type BreakerState, createBreakers, type Verdict } from './standing/breakers.ts';
export { type Share, shareHealth } from './standing/share.ts';
export { type Standing, type Standings, createStandings, offerKey } from './standing/standings.ts';
export { accountTargets } from './targets/account-targets.ts';
export { type LiveTargets, withCustomProviders } from './targets/custom-targets.ts';
export type { OwnKeys } from './targets/own-keys.ts';
export { type Target, type Targets, readTargets } from './targets/targets.ts';
