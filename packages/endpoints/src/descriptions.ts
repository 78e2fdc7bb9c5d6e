import { speechDescription } from './audio/speech.ts';
import { transcriptionsDescription, translationsDescription } from './audio/transcriptions.ts';
import type { EndpointDescription } from './description.ts';
import { embeddingsDescription } from './embeddings.ts';
import { imageEditsDescription } from './images/edits.ts';
import { imageGenerationsDescription } from './images/generations.ts';
import { ownKeyDescription, ownUsageDescription } from './key/own.ts';
import { modelDescription, modelListDescription } from './models/models.ts';
import { moderationsDescription } from './moderations.ts';
import { explainDescription } from './routing/explain.ts';
import { providersDescription } from './routing/providers.ts';

/** What the API document says about each endpoint, by the name of its exchange, in the order of the document. */
export const endpointDescriptions = {
  explain: explainDescription,
  providers: providersDescription,
  embed: embeddingsDescription,
  moderate: moderationsDescription,
  speak: speechDescription,
  transcribe: transcriptionsDescription,
  translate: translationsDescription,
  generate: imageGenerationsDescription,
  edit: imageEditsDescription,
  listModels: modelListDescription,
  getModel: modelDescription,
  ownUsage: ownUsageDescription,
  ownKey: ownKeyDescription,
} as const satisfies Readonly<Record<string, EndpointDescription>>;
