export { dataEvent, jsonReply, type Piece, piece, type PieceKind, type Reply, streamReply } from './answer.ts';
export { runSimulator } from './command.ts';
export { type FailureOptions, type FaultDialect } from './dialect.ts';
export { contentHash } from './content-hash.ts';
export { createImageEncoder } from './images/encoded.ts';
export { type ImageWish, madeSize, makeImage, mediaTypeOf, mostImageBytes } from './images/image.ts';
export { formatOf, inputImageOf } from './images/input.ts';
export { type ImageOrder, imageOrdered, promptTokensOf } from './images/order.ts';
export { type PictureSize, pixelCount, sizeOf, stretchOf, writeSize } from './images/size.ts';
export { redirectsIn, wordIn } from './images/wishes.ts';
export { isObject, type JsonObject, jsonOf, objectsOf } from './json.ts';
export { type Choice, type ChoiceToolCall } from './model/choice.ts';
export { composeChoice, composeChoices, emptyChoice } from './model/compose.ts';
export { paceOf } from './model/pace.ts';
export { charactersOfMedia, type ChatQuestion } from './model/question.ts';
export { type FamilySettings } from './model/settings.ts';
export { splitCharacters, splitWords } from './model/split.ts';
export { promptTokenCount, spentOn, type TokenCounts } from './model/tokens.ts';
export { finishWished, wishesFor } from './model/wishes.ts';
export { bearerOf, isLetIn } from './openai/authorization.ts';
export { blockedPrompt } from './openai/checks.ts';
export { openAiDialect } from './openai/dialect.ts';
export { type ApiError, invalidRequest, openAiErrorBody, openAiUnknownModel } from './openai/errors.ts';
export { openAiFailure } from './openai/failures.ts';
export { type ImagesOperation } from './openai/provider.ts';
export { functionName, readOpenAiQuestion, textOf } from './openai/question.ts';
export { openAiRoutes } from './openai/routes.ts';
export {
  fastModel,
  imageModel,
  reasoningModel,
  sandboxBasePath,
  sandboxProviders,
  sharedModel,
  toolModel,
} from './providers.ts';
export { createReplyCache } from './reply-cache.ts';
export { type ArrivedRequest, type Route, type RouteAnswer } from './route.ts';
export { sandboxFamilies, startSandbox } from './sandbox.ts';
export { type Family, type SimulationOptions, type Simulator, startSimulation } from './simulation.ts';
