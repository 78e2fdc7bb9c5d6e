import type { EmbeddingCall, InputType } from '../spec/embedding-call.ts';
import { vectorsIn } from '../embeddings/vectors-in.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import type { EmbeddingsFormat } from '../spec/call-formats.ts';
import { finiteNumber, isMembers, items, type Members } from '../read.ts';

const ofCohere = /(^|\.)cohere\./;
/** Models whose vectors can be cut. */
const cuts = /titan-embed-text-v2|cohere\.embed-v[4-9]/;

/** Invoking a model directly: Titan embeds one text per call, Cohere's models many. */
export const bedrockEmbeddings = (id: string): EmbeddingsFormat => ({
  limits: ({ modelName }) => ({ inputs: ofCohere.test(modelName) ? 96 : 1, tokens: Infinity }),
  unsupported({ inputs, dimensions, inputType }, { modelName }) {
    if (inputs.some((input) => typeof input !== 'string')) return 'input';
    if (dimensions !== undefined && !cuts.test(modelName)) return 'dimensions';
    if (inputType === undefined) return undefined;
    return ofCohere.test(modelName) && cohereTypes.includes(inputType) ? undefined : 'input_type';
  },
  request: (call, offer) =>
    posted(
      `/model/${encodeURIComponent(offer.modelName)}/invoke`,
      ofCohere.test(offer.modelName) ? cohereBody(call) : titanBody(call),
    ),
  response(body, { inputs }, headers) {
    if (!isMembers(body)) throw unreadableAnswer(id, 'The answer is not a JSON object.');
    const found = body.embedding === undefined ? cohereVectors(body) : [body.embedding];
    const vectors = vectorsIn(found, inputs.length, id);
    const counted = finiteNumber(body.inputTextTokenCount) ?? countIn(headers['x-amzn-bedrock-input-token-count']);
    return { vectors, ...(counted !== undefined && { promptTokens: counted }) };
  },
});

const titanBody = ({ inputs: [inputText], dimensions }: EmbeddingCall): object => ({
  inputText,
  ...(dimensions !== undefined && { dimensions }),
});

const cohereTypes: readonly InputType[] = ['search_document', 'search_query', 'classification', 'clustering'];

/** A text that is too long is refused, not truncated. */
const cohereBody = ({ inputs, dimensions, inputType = 'search_document' }: EmbeddingCall): object => ({
  texts: inputs,
  input_type: inputType,
  truncate: 'NONE',
  embedding_types: ['float'],
  ...(dimensions !== undefined && { output_dimension: dimensions }),
});

/** Older models answer without the names of types. */
const cohereVectors = ({ embeddings }: Members): readonly unknown[] =>
  items(isMembers(embeddings) ? embeddings.float : embeddings);

const countIn = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : undefined;
