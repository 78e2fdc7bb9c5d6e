import type { EmbeddingCall } from '../spec/embedding-call.ts';
import { cohereBody, cohereVectors, mostCohereTexts, unsupportedByCohere } from '../embeddings/cohere-embed.ts';
import { vectorsIn } from '../embeddings/vectors-in.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import type { EmbeddingsFormat } from '../spec/call-formats.ts';
import { finiteNumber, isMembers } from '../read.ts';

const ofCohere = /(^|\.)cohere\./;
/** Models of Amazon whose vectors can be cut. */
const cuts = /titan-embed-text-v2/;

/** Invoking a model directly: Titan embeds one text per call, Cohere's models many. */
export const bedrockEmbeddings = (id: string): EmbeddingsFormat => ({
  limits: ({ modelName }) => ({ inputs: ofCohere.test(modelName) ? mostCohereTexts : 1, tokens: Infinity }),
  unsupported: (call, { modelName }) =>
    ofCohere.test(modelName) ? unsupportedByCohere(call, modelName) : unsupportedByTitan(call, modelName),
  request: (call, offer) =>
    posted(
      `/model/${encodeURIComponent(offer.modelName)}/invoke`,
      ofCohere.test(offer.modelName) ? cohereBody(call) : titanBody(call),
    ),
  response(body, call, headers) {
    if (!isMembers(body)) throw unreadableAnswer(id, 'The answer is not a JSON object.');
    const found = body.embedding === undefined ? cohereVectors(body, call) : [body.embedding];
    const vectors = vectorsIn(found, call.inputs.length, id);
    const counted = finiteNumber(body.inputTextTokenCount) ?? countIn(headers['x-amzn-bedrock-input-token-count']);
    return { vectors, ...(counted !== undefined && { promptTokens: counted }) };
  },
});

function unsupportedByTitan(
  { inputs, dimensions, inputType, vectorType, truncation }: EmbeddingCall,
  modelName: string,
): string | undefined {
  if (inputs.some((input) => typeof input !== 'string')) return 'input';
  if (dimensions !== undefined && !cuts.test(modelName)) return 'dimensions';
  if (inputType !== undefined) return 'input_type';
  if (vectorType !== undefined) return 'output_dtype';
  return truncation ? 'truncation' : undefined;
}

const titanBody = ({ inputs: [inputText], dimensions }: EmbeddingCall): object => ({
  inputText,
  ...(dimensions !== undefined && { dimensions }),
});

const countIn = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : undefined;
