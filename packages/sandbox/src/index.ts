export {
  bytesReply,
  dataEvent,
  jsonReply,
  type Piece,
  piece,
  type PieceKind,
  type Reply,
  streamReply,
} from './answer.ts';
export { runSimulator } from './command.ts';
export { type FailureOptions, type FaultDialect } from './dialect.ts';
export { contentHash } from './content-hash.ts';
export { createImageEncoder } from './images/encoded.ts';
export { formParts } from './openai/images/form.ts';
export { type ImageSpec, generatedSize, makeImage, mediaTypeOf, mostImageBytes } from './images/image.ts';
export { formatOf, inputImageOf } from './images/input.ts';
export { type ImageOrder, imageSpecOf, promptTokensOf } from './images/order.ts';
export { type PictureSize, pixelCount, sizeOf, stretchOf, writeSize } from './images/size.ts';
export { redirectsIn, hasImageDirective } from './images/directives.ts';
export { exactJson, isObject, type JsonObject, jsonOf, objectsOf } from './json.ts';
export { argumentsIn, type Choice, type ChoiceToolCall, type SpokenPart, spokenParts } from './model/choice.ts';
export { composeChoice, composeChoices, emptyChoice } from './model/compose.ts';
export {
  metered,
  type Metered,
  type MeteredClass,
  type MeteredCount,
  meteredInput,
  promptClasses,
} from './model/metered.ts';
export { unknownUsage } from './model/unknown-usage.ts';
export { pixelImage } from './model/media.ts';
export { paceOf } from './model/pace.ts';
export { charactersOfMedia, type ChatQuestion } from './model/question.ts';
export { type FamilySettings } from './model/settings.ts';
export { splitCharacters, splitWords } from './model/split.ts';
export { charactersPerToken, promptTokenCount, spentTokens, type TokenCounts } from './model/tokens.ts';
export { requestedFinish, hasDirective, requestedSearches, requestedTier } from './model/directives.ts';
export { bearerOf, isAcceptedKey } from './openai/authorization.ts';
export { blockedPrompt } from './openai/checks.ts';
export { openAiDialect } from './openai/dialect.ts';
export { type ApiError, invalidRequest, openAiErrorBody, openAiUnknownModel } from './openai/errors.ts';
export { openAiFailure } from './openai/failures.ts';
export { type ImagesOperation } from './openai/provider.ts';
export { functionName, readOpenAiQuestion, textOf } from './openai/question.ts';
export { openAiTier, openAiWriteDetails, openAiWrites, writeClassOf } from './openai/usage.ts';
export { openAiRoutes } from './openai/routes.ts';
export { embeddingInputs, embeddingsList, findEmbeddingFault, inputTokens } from './openai/embeddings.ts';
export { createDecisions, decisionTokens, distribution, likelihood } from './openai/decisions.ts';
export { findRerankFault, rankedDocuments, rerankTokens, rerankUnits } from './openai/rerank.ts';
export { findSpeechFault, speechReply } from './openai/speech.ts';
export { type TranscriptionForm, transcriptionForm } from './openai/transcription-form.ts';
export { findTranscriptionFault, transcriptReply } from './openai/transcriptions.ts';
export { categoryScore } from './openai/moderations.ts';
export { vectorOf } from './model/vector.ts';
export { imageModel, sandboxBasePath, sandboxProviders, sharedModel } from './providers.ts';
export { type Received } from './recorder.ts';
export { createReplyCache } from './reply-cache.ts';
export { type ArrivedRequest, type VendorRoute, type RouteAnswer } from './route.ts';
export { sandboxFamilies, startSandbox } from './sandbox.ts';
export { type Family, type SimulationOptions, type Simulator, startSimulation } from './simulation.ts';
