export type { CacheMarking, PromptReuse } from './cache-marks/cache-marking.ts';
export { markedChat } from './cache-marks/marked-chat.ts';
export { repeatedPart } from './cache-marks/repeated-part.ts';
export { chatProviders, findChatProvider, type ProviderRegistry, providersWith } from './chat-providers.ts';
export { configuredBase } from './configured-base.ts';
export { forgottenThinking, refusesThinking } from './conversation/forgotten-thinking.ts';
export type * from './counting/token-counting.ts';
export { customImageProvider } from './custom/custom-image-provider.ts';
export { customProvider } from './custom/custom-provider.ts';
export { embeddingCalls } from './embeddings/embedding-calls.ts';
export type * from './spec/batch-format.ts';
export type * from './spec/call-formats.ts';
export {
  type CallSignatures,
  type PlacedName,
  type PlacedSignature,
  placedSignatures,
} from './spec/call-signatures.ts';
export * from './spec/decision-call.ts';
export { inputTypes, vectorTypes } from './spec/embedding-call.ts';
export type * from './spec/embedding-call.ts';
export type { Lesson } from './fast-lane/surroundings.ts';
export { genAiProviderName } from './gen-ai-names.ts';
export { createTextLane, type TextLane } from './fast-lane/text-lane.ts';
export { createFold, fold, type Fold } from './fold/fold.ts';
export type * from './spec/image-provider.ts';
export { findImageProvider, imageProviders, type ImageProviderRegistry, imageProvidersWith } from './image-registry.ts';
export { imageCalls } from './images/image-calls.ts';
export { readImageConfig } from './images/image-config.ts';
export { type ImageIssue, issueError, validateImageCall } from './images/judge.ts';
export { requestedPixels } from './images/requested-size.ts';
export { mostScaledPixels } from './images/sizes.ts';
export { type AppliedStyle, styleOf } from './images/style.ts';
export * from './spec/moderation-call.ts';
export { openAiCompatible, type OpenAiCompatibleOptions } from './openai-compatible/chat.ts';
export type { ConditionalRules, Quirks, RequestRules } from './openai-compatible/quirks.ts';
export { repairedRequest } from './native-repairs/repaired-request.ts';
export { namedTier } from './service-tier.ts';
export type * from './spec/provider.ts';
export { vendorMembers } from './vendor-members.ts';
export { shapingMembers, weakenedMembers } from './weakening/weakened-members.ts';
export type * from './spec/realtime-call.ts';
export * from './spec/rerank-call.ts';
export * from './spec/speech-call.ts';
export * from './spec/transcription-call.ts';
export type * from './spec/upstream-request.ts';
