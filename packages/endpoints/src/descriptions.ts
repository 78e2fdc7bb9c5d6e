import type { endpoints } from '@tallyport/contracts';
import { liveDescription } from './audio/live.ts';
import { realtimeDescription } from './audio/realtime.ts';
import { speechDescription } from './audio/speech.ts';
import { transcriptionsDescription, translationsDescription } from './audio/transcriptions.ts';
import {
  batchCancellationDescription,
  batchCreationDescription,
  batchDescription,
  batchListDescription,
  messageBatchCancellationDescription,
  messageBatchCreationDescription,
  messageBatchDeletionDescription,
  messageBatchDescription,
  messageBatchListDescription,
  messageBatchResultsDescription,
} from './batches.ts';
import { completionsDescription } from './chat/completions.ts';
import { textCompletionsDescription } from './chat/text-completions.ts';
import { decisionsDescription, systemOneDescription } from './decisions.ts';
import type { EndpointDescription } from './description.ts';
import { embedByTypeDescription } from './embed-by-type.ts';
import { embeddingsDescription } from './embeddings.ts';
import {
  fileContentDescription,
  fileCreationDescription,
  fileDeletionDescription,
  fileDescription,
  fileListDescription,
} from './files.ts';
import {
  generateContentDescription,
  geminiCountDescription,
  geminiModelDescription,
  geminiModelListDescription,
} from './gemini.ts';
import { imageEditsDescription } from './images/edits.ts';
import { imageGenerationsDescription } from './images/generations.ts';
import {
  interactionCancellationDescription,
  interactionDeletionDescription,
  interactionsDescription,
  storedInteractionDescription,
} from './interactions.ts';
import { ownKeyDescription, ownUsageDescription } from './key/own.ts';
import { messagesCountDescription, messagesDescription } from './messages.ts';
import { modelDescription, modelListDescription } from './models/models.ts';
import { moderationsDescription } from './moderations.ts';
import { rerankDescription } from './rerank.ts';
import {
  conversationCreationDescription,
  conversationDeletionDescription,
  conversationDescription,
  conversationItemDescription,
  conversationItemsDescription,
  conversationUpdateDescription,
  itemAdditionDescription,
  itemDeletionDescription,
} from './responses/conversations.ts';
import { compactDescription, responsesCountDescription, responsesDescription } from './responses/requests.ts';
import {
  cancellationDescription,
  inputItemsDescription,
  responseDeletionDescription,
  storedResponseDescription,
} from './responses/stored.ts';
import { explainDescription } from './routing/explain.ts';
import { providersDescription } from './routing/providers.ts';

/** What the API document says about each endpoint, by the name of its exchange, in the order of the document. */
export const endpointDescriptions: Readonly<Record<(typeof endpoints)[number]['exchange'], EndpointDescription>> = {
  complete: completionsDescription,
  explain: explainDescription,
  providers: providersDescription,
  messages: messagesDescription,
  countTokens: messagesCountDescription,
  completeText: textCompletionsDescription,
  responses: responsesDescription,
  compactResponse: compactDescription,
  countResponseTokens: responsesCountDescription,
  getResponse: storedResponseDescription,
  deleteResponse: responseDeletionDescription,
  listInputItems: inputItemsDescription,
  cancelResponse: cancellationDescription,
  createConversation: conversationCreationDescription,
  getConversation: conversationDescription,
  updateConversation: conversationUpdateDescription,
  deleteConversation: conversationDeletionDescription,
  addConversationItems: itemAdditionDescription,
  listConversationItems: conversationItemsDescription,
  getConversationItem: conversationItemDescription,
  deleteConversationItem: itemDeletionDescription,
  generateContent: generateContentDescription,
  countGeminiTokens: geminiCountDescription,
  listGeminiModels: geminiModelListDescription,
  getGeminiModel: geminiModelDescription,
  interact: interactionsDescription,
  getInteraction: storedInteractionDescription,
  deleteInteraction: interactionDeletionDescription,
  cancelInteraction: interactionCancellationDescription,
  embed: embeddingsDescription,
  moderate: moderationsDescription,
  decide: decisionsDescription,
  decideState: systemOneDescription,
  embedByType: embedByTypeDescription,
  rerank: rerankDescription,
  speak: speechDescription,
  transcribe: transcriptionsDescription,
  translate: translationsDescription,
  realtime: realtimeDescription,
  live: liveDescription,
  generate: imageGenerationsDescription,
  edit: imageEditsDescription,
  createFile: fileCreationDescription,
  listFiles: fileListDescription,
  getFile: fileDescription,
  deleteFile: fileDeletionDescription,
  fileContent: fileContentDescription,
  createBatch: batchCreationDescription,
  listBatches: batchListDescription,
  getBatch: batchDescription,
  cancelBatch: batchCancellationDescription,
  createMessageBatch: messageBatchCreationDescription,
  listMessageBatches: messageBatchListDescription,
  getMessageBatch: messageBatchDescription,
  cancelMessageBatch: messageBatchCancellationDescription,
  deleteMessageBatch: messageBatchDeletionDescription,
  messageBatchResults: messageBatchResultsDescription,
  listModels: modelListDescription,
  getModel: modelDescription,
  ownUsage: ownUsageDescription,
  ownKey: ownKeyDescription,
};
