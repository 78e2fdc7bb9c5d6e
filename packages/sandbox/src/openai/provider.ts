import type { JsonObject } from '../json.ts';
import type { ApiError } from './errors.ts';
import type { TranscriptionForm } from './transcription-form.ts';

export type ImagesOperation = 'generations' | 'edits';

/** A provider of OpenAI's format. */
export interface OpenAiProvider {
  readonly id: string;
  /** The prefix of its paths. */
  readonly basePath: string;
  /** The models in its list. */
  readonly models: readonly string[];
  readonly refuseChat: (body: JsonObject) => ApiError | undefined;
  readonly refuseImages: (body: JsonObject, operation: ImagesOperation) => ApiError | undefined;
  readonly refuseEmbeddings: (body: JsonObject) => ApiError | undefined;
  readonly refuseModerations: (body: JsonObject) => ApiError | undefined;
  readonly refuseDecisions: (body: JsonObject) => ApiError | undefined;
  readonly refuseRerank: (body: JsonObject) => ApiError | undefined;
  readonly refuseSpeech: (body: JsonObject) => ApiError | undefined;
  readonly refuseTranscription: (form: TranscriptionForm) => ApiError | undefined;
}
