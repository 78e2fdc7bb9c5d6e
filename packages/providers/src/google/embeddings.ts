import type { Offer } from '@tallyport/contracts';
import type { EmbeddingCall, InputType } from '../spec/embedding-call.ts';
import type { EmbeddingsFormat } from '../spec/call-formats.ts';
import { vectorsIn } from '../embeddings/vectors-in.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import { finiteNumber, isMembers, items, members } from '../read.ts';
import { geminiFault } from './error.ts';

/** Of a batch; the tokens of a batch have no limit of their own. */
const mostInputs = 100;

/** `batchEmbedContents`: text only, and every vector as numbers. */
export const geminiEmbeddings = (id: string, path: (modelName: string) => string): EmbeddingsFormat => ({
  limits: () => ({ inputs: mostInputs, tokens: Infinity }),
  unsupported: unsupportedByGoogle,
  request: (call, offer) => posted(`${path(offer.modelName)}:batchEmbedContents`, bodyOf(call, offer)),
  response(body, { inputs }) {
    if (!isMembers(body)) throw unreadableAnswer(id, 'The answer is not a JSON object.');
    const fault = geminiFault(body, id);
    if (fault !== undefined) throw fault;
    const entries = items(body.embeddings).map((entry) => members(entry).values);
    const promptTokens = finiteNumber(members(body.usageMetadata).promptTokenCount);
    return {
      vectors: vectorsIn(entries, inputs.length, id),
      ...(promptTokens !== undefined && { promptTokens }),
    };
  },
  // Only whole vectors have length 1.
  unscaled: ({ dimensions }) => dimensions !== undefined,
});

/** Newer models expect the purpose in the text. */
const withTasks = /^gemini-embedding-0|^text-/;

/** Text only; the first member that a model of Google does not have. */
export function unsupportedByGoogle(
  { inputs, inputType, vectorType, truncation }: EmbeddingCall,
  { modelName }: Offer,
): string | undefined {
  if (inputs.some((input) => typeof input !== 'string')) return 'input';
  if (vectorType !== undefined) return 'output_dtype';
  if (truncation) return 'truncation';
  return inputType !== undefined && !withTasks.test(modelName) ? 'input_type' : undefined;
}

/** Google's name of what the vectors are for. */
export const taskTypes: Readonly<Record<InputType, string>> = {
  search_document: 'RETRIEVAL_DOCUMENT',
  search_query: 'RETRIEVAL_QUERY',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
  semantic_similarity: 'SEMANTIC_SIMILARITY',
  question_answering: 'QUESTION_ANSWERING',
  fact_verification: 'FACT_VERIFICATION',
  code_retrieval_query: 'CODE_RETRIEVAL_QUERY',
};

const bodyOf = ({ inputs, dimensions, inputType }: EmbeddingCall, { modelName }: Offer): object => ({
  requests: inputs.map((text) => ({
    model: `models/${modelName}`,
    content: { parts: [{ text }] },
    ...(inputType && { taskType: taskTypes[inputType] }),
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  })),
});
