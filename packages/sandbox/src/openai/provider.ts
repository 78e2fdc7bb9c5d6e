import type { JsonObject } from '../json.ts';
import type { ApiError } from './errors.ts';

export type ImagesOperation = 'generations' | 'edits';

/** A provider that speaks OpenAI's format. */
export interface OpenAiProvider {
  readonly id: string;
  /** What its paths begin with. */
  readonly basePath: string;
  /** The models it lists. */
  readonly models: readonly string[];
  readonly refuseChat: (body: JsonObject) => ApiError | undefined;
  readonly refuseImages: (body: JsonObject, operation: ImagesOperation) => ApiError | undefined;
}
