import { type Members, isMembers, items } from '../read.ts';
import type { EmbeddingCall, InputType } from '../spec/embedding-call.ts';

/** What Cohere's models take in one call. */
export const mostCohereTexts = 96;

/** Models whose vectors can be cut. */
const cuts = /embed-v[4-9]/;

const cohereTypes: readonly InputType[] = ['search_document', 'search_query', 'classification', 'clustering'];

/** The first member that Cohere's models do not have, at every host that sells them. */
export function unsupportedByCohere(
  { inputs, dimensions, inputType }: EmbeddingCall,
  modelName: string,
): string | undefined {
  if (inputs.some((input) => typeof input !== 'string')) return 'input';
  if (dimensions !== undefined && !cuts.test(modelName)) return 'dimensions';
  return inputType === undefined || cohereTypes.includes(inputType) ? undefined : 'input_type';
}

export const cohereBody = ({
  inputs,
  dimensions,
  inputType = 'search_document',
  vectorType,
  truncation,
}: EmbeddingCall): object => ({
  texts: inputs,
  input_type: inputType,
  truncate: truncation ? 'END' : 'NONE',
  embedding_types: [vectorType ?? 'float'],
  ...(dimensions !== undefined && { output_dimension: dimensions }),
});

/** Older models answer without the names of types. */
export const cohereVectors = ({ embeddings }: Members, { vectorType }: EmbeddingCall): readonly unknown[] =>
  items(isMembers(embeddings) ? embeddings[vectorType ?? 'float'] : embeddings);
