export { withAddressedModel } from './addressed-model.ts';
export { type AnswerDocument, documentOf, writtenDocument } from './answer/answer-document.ts';
export {
  type AnswerEvent,
  type ChunkEvent,
  chunkEvent,
  type DocumentEvent,
  type LearnedChunk,
  textEvent,
} from './answer/answer-event.ts';
export { documentEvent, eventSlices, imageChunkEvent } from './answer/document-event.ts';
export { type VendorEvent, passedBytes, passedEvent } from './answer/passed-event.ts';
export { type AwsEventStreamDecoderOptions, createAwsEventStreamDecoder } from './aws-event-stream/decoder.ts';
export type * from './anthropic/request.ts';
export type * from './bedrock/request.ts';
export * from './frame.ts';
export type * from './google/request.ts';
export { parseJsonBody, parseJsonBodyKeeping } from './json/body.ts';
export { type ExactNumber, isExactNumber, parseExactJson, withRoundedNumbers } from './json/exact-numbers.ts';
export { longStrings, type LongStrings, mergedLongStrings, noLongStrings } from './json/long-strings.ts';
export { parseKeepingLongStrings, type ParsedDocument } from './json/parse.ts';
export { insertTexts, type JsonInsertion, type JsonPath } from './json/insert-texts.ts';
export { editMembers, type MemberEdit } from './json/edit-members.ts';
export { type JsonChange, replaceMembers } from './json/replace-members.ts';
export { listElements, memberValue, memberValues, repeatsMember, repeatsMemberWithin } from './json/read-members.ts';
export { byteLengthWithLongStrings, stringifyWithLongStrings, textWithLongStrings } from './json/stringify.ts';
export { acceptedEncoding, type ContentEncoding, contentEncodings } from './http/accept-encoding.ts';
export { structureProblem } from './json/structure.ts';
export { type DocumentWithVectors, type KeptVector, VectorReader } from './json/vectors.ts';
export { firstIssue } from './first-issue.ts';
export {
  type ImageType,
  imageTypeOf,
  imageTypeOfBase64,
  markBytes,
  markCharacters,
  recognisedImages,
} from './image-type.ts';
export { issueText } from './issue-text.ts';
export type * from './native-request.ts';
export type * from './openai/answer-parts.ts';
export type * from './openai/chunk.ts';
export type * from './openai/completion.ts';
export { createDetailFold } from './openai/detail-fold.ts';
export { deltasInOrder } from './openai/deltas-in-order.ts';
export type * from './openai/images.ts';
export type * from './openai/message.ts';
export { createOrderKeeper, type OrderKeeper } from './openai/order-keeper.ts';
export { problemOf } from './openai/problem.ts';
export { type ProviderPreferences, providerPreferences } from './openai/provider-preferences.ts';
export {
  chatRequestMembers,
  chatRequestSchema,
  modelList,
  mostModelsAsked,
  parseChatRequest,
  type ChatRequest,
} from './openai/request.ts';
export type * from './openai/usage.ts';
export { type InputLine, readLines } from './lines/read-lines.ts';
export { joinPieces, joinShortPieces, totalBytes } from './pieces.ts';
export { createSseDecoder, type SseDecoder } from './sse/decoder.ts';
export { encodeSse, inLines, sseComment, sseDone, sseText } from './sse/encode.ts';
export { isSealedSignature, sealedPrefix } from './sealed-prefix.ts';
export * from './wire-error.ts';
export { boundaryOf, type MultipartPart, joinForm, splitForm } from './multipart/form.ts';
export { encodeSocketMessage, type SocketMessage, SocketMessageDecoder, socketMessagesIn } from './socket/messages.ts';
