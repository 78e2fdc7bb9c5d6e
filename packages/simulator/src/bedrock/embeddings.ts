import {
  type ArrivedRequest,
  isObject,
  jsonOf,
  type JsonObject,
  jsonReply,
  meteredInput,
  type RouteAnswer,
  vectorOf,
} from '@tallyport/sandbox';
import { answerRerank, isReranker } from './rerank.ts';
import { quantised } from '../quantised.ts';
import { bedrockErrorReply, type BedrockFinding, bedrockInvalid, requestId } from './errors.ts';

/** One family of models: its rules and its answer. */
interface Embedder {
  readonly models: RegExp;
  readonly members: readonly string[];
  findFault(body: JsonObject, model: string): BedrockFinding;
  texts(body: JsonObject): readonly string[];
  write(body: JsonObject, vectors: readonly (readonly number[])[], tokens: number): object;
  dimensions(body: JsonObject, model: string): number;
}

const titan: Embedder = {
  models: /^amazon\.titan-embed-text-v[12]/,
  members: ['inputText', 'dimensions', 'normalize', 'embeddingTypes'],
  findFault({ inputText, dimensions }, model) {
    if (typeof inputText !== 'string' || inputText === '') return malformed('inputText');
    if (dimensions === undefined) return undefined;
    return /v2/.test(model) && [1024, 512, 256].includes(Number(dimensions)) ? undefined : malformed('dimensions');
  },
  texts: ({ inputText }) => [String(inputText)],
  write: (_body, [embedding], tokens) => ({
    embedding,
    embeddingsByType: { float: embedding },
    inputTextTokenCount: tokens,
  }),
  dimensions: ({ dimensions }, model) => Number(dimensions ?? (/v2/.test(model) ? 1024 : 1536)),
};

const typeIn = (types: unknown): string => String([types].flat()[0]);

const inputTypes = ['search_document', 'search_query', 'classification', 'clustering', 'image'];

const cohere: Embedder = {
  models: /^cohere\.embed-/,
  members: ['texts', 'images', 'input_type', 'truncate', 'embedding_types', 'output_dimension'],
  findFault({ texts, input_type: type, output_dimension: dimensions }, model) {
    if (!Array.isArray(texts) || texts.length === 0 || texts.length > 96) return malformed('texts');
    if (!texts.every((text) => typeof text === 'string' && text !== '')) return malformed('texts');
    if (!inputTypes.includes(String(type))) return malformed('input_type');
    if (dimensions === undefined) return undefined;
    const known = /v4/.test(model) && [256, 512, 1024, 1536].includes(Number(dimensions));
    return known ? undefined : malformed('output_dimension');
  },
  texts: ({ texts }) => (Array.isArray(texts) ? texts.map(String) : []),
  write: ({ texts, embedding_types: types }, vectors) => ({
    id: requestId,
    embeddings:
      types === undefined ? vectors : { [typeIn(types)]: vectors.map((vector) => quantised(vector, typeIn(types))) },
    response_type: types === undefined ? 'embeddings_floats' : 'embeddings_by_type',
    texts,
  }),
  dimensions: ({ output_dimension: dimensions }, model) => Number(dimensions ?? (/v4/.test(model) ? 1536 : 1024)),
};

const malformed = (member: string) =>
  bedrockInvalid(`Malformed input request: #/${member}, please reformat your input.`);

/** Serves `invoke` for models that make embeddings or rank. Only Titan counts tokens in its body. */
export function answerInvoke({ path, body: bytes }: ArrivedRequest): RouteAnswer {
  const model = decodeURIComponent(path.split('/')[3] ?? '');
  if (isReranker(model)) return answerRerank(model, bytes);
  const body = jsonOf(bytes.toString());
  const embedder = [titan, cohere].find(({ models }) => models.test(model));
  const refused = (fault: NonNullable<BedrockFinding>) => ({ model, answer: bedrockErrorReply(fault) });
  if (embedder === undefined) return refused(bedrockInvalid('The provided model identifier is invalid.'));
  if (!isObject(body)) return refused(bedrockInvalid('The request body is not valid JSON.'));
  const unknown = Object.keys(body).find((name) => !embedder.members.includes(name));
  const fault = unknown === undefined ? embedder.findFault(body, model) : malformed(unknown);
  if (fault) return refused(fault);
  const texts = embedder.texts(body);
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  const vectors = texts.map((text) => [...vectorOf(text, embedder.dimensions(body, model))]);
  const headers = { 'x-amzn-requestid': requestId, 'x-amzn-bedrock-input-token-count': String(tokens) };
  return {
    model,
    metered: meteredInput(tokens),
    answer: jsonReply(200, embedder.write(body, vectors, tokens), headers),
  };
}
