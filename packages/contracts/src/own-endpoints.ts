import { namesOf } from './by-name.ts';

/** The output modalities of models that do not chat, and the endpoint that serves each. */
export const ownEndpoints = {
  embeddings: 'POST /v1/embeddings',
  moderations: 'POST /v1/moderations',
  speech: 'POST /v1/audio/speech',
  transcriptions: 'POST /v1/audio/transcriptions',
} as const;

export type OwnModality = keyof typeof ownEndpoints;

/** The modality of a model that has an endpoint of its own; `undefined` for models of chats and images. */
export const ownModalityOf = (outputModalities: readonly string[]): OwnModality | undefined =>
  namesOf(ownEndpoints).find((modality) => outputModalities.includes(modality));
