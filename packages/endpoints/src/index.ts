export { speechRequest, speechType } from './audio/speech.ts';
export { transcriptFields } from './audio/transcriptions.ts';
export { checkedRequest } from './checked-request.ts';
export type * from './description.ts';
export { endpointDescriptions } from './descriptions.ts';
export { embeddingRequest, mostInputs } from './embeddings.ts';
export { defaultModerationModel, moderationRequest } from './moderations.ts';
