/** A text, or the tokens of one. */
export type EmbeddingInput = string | readonly number[];

export type EmbeddingEncoding = 'base64' | 'float';

/** What the vectors are for, in the client's words. Vendors with such a setting make different vectors for each. */
export const inputTypes = [
  'search_document',
  'search_query',
  'classification',
  'clustering',
  'semantic_similarity',
  'question_answering',
  'fact_verification',
  'code_retrieval_query',
] as const;

export type InputType = (typeof inputTypes)[number];

/** What a number of a vector is, in the words of Voyage and Mistral; `binary` and `ubinary` have eight of them in one. */
export const vectorTypes = ['float', 'int8', 'uint8', 'binary', 'ubinary'] as const;

export type VectorType = (typeof vectorTypes)[number];

/** A request for embeddings, or a part of one, as the client sent it. */
export interface EmbeddingCall {
  readonly inputs: readonly EmbeddingInput[];
  readonly dimensions?: number;
  readonly inputType?: InputType;
  /** The encoding that the client wants. */
  readonly encoding: EmbeddingEncoding;
  /** Absent: `float`. Others are numbers, never base64. */
  readonly vectorType?: Exclude<VectorType, 'float'>;
  /** True: the vendor may shorten a text that is too long, which is refused otherwise. */
  readonly truncation?: true;
  readonly user?: string;
  /** The client's API is the vendor's own: vectors keep their length where it is not 1. */
  readonly isUnscaled?: true;
}

/** What a vendor answered. */
export interface EmbeddingsAnswer {
  /** In the order of the inputs: base64, or what the reader of the answer left in place of a vector. */
  readonly vectors: readonly (string | number)[];
  /** Absent if the vendor does not count tokens. */
  readonly promptTokens?: number;
}

/** The limits of one call. A larger request takes several, see `embeddingCalls`. */
export interface EmbeddingLimits {
  readonly inputs: number;
  /** Summed over all inputs. */
  readonly tokens: number;
}
