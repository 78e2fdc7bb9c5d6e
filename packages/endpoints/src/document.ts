// What only the API document and its tests read: services do not load it.
export { metadataSchema } from './answer-metadata.ts';
export { usageSchema } from './answer-usage.ts';
export { chunkSchema, completionSchema } from './chat/answer.ts';
export { endpointDescriptions } from './descriptions.ts';
export { generateContentOutline } from './gemini.ts';
export { interactionsOutline } from './interactions.ts';
export { imagesSchema } from './images/answer.ts';
export { imageEditForm } from './images/edits.ts';
export { messagesCountOutline, messagesOutline } from './messages.ts';
export { modelRecordSchema } from './models/model-record.ts';
export { responsesOutline } from './responses/requests.ts';
export { providersSchema, routePlanSchema } from './routing/answers.ts';
