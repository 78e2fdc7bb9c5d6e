import { speechDescription } from './audio/speech.ts';
import { transcriptionsDescription, translationsDescription } from './audio/transcriptions.ts';
import type { EndpointDescription } from './description.ts';
import { embeddingsDescription } from './embeddings.ts';
import { imageEditsDescription } from './images/edits.ts';
import { imageGenerationsDescription } from './images/generations.ts';
import { modelDescription, modelListDescription } from './models/models.ts';
import { moderationsDescription } from './moderations.ts';

/** What the API document says about each endpoint, by the name of its exchange, in the order of the document. */
export const endpointDescriptions = {
  embed: embeddingsDescription,
  moderate: moderationsDescription,
  speak: speechDescription,
  transcribe: transcriptionsDescription,
  translate: translationsDescription,
  generate: imageGenerationsDescription,
  edit: imageEditsDescription,
  listModels: modelListDescription,
  getModel: modelDescription,
} as const satisfies Readonly<Record<string, EndpointDescription>>;
