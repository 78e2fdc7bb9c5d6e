import { GatewayError } from '@tallyport/contracts';
import type { DocumentWithVectors } from '@tallyport/wire';
import { z } from 'zod';
import { absent } from '../anthropic-messages/block-schemas.ts';
import type { DialectRequest } from '../dialect.ts';
import { parsedBody } from '../parsed-body.ts';
import { inClientSpelling } from './client-spelling.ts';
import { modelPath } from './model-path.ts';
import { proto } from './proto.ts';

/** A request for embeddings in OpenAI's format, and how its response is translated back. */
interface GeminiEmbedding {
  request: { model: string; [member: string]: unknown };
  /** The response as slices; its vectors stay the bytes that they were received as. */
  answer(document: DocumentWithVectors): Buffer[];
}

const verbs = ['embedContent', 'batchEmbedContents'];

/** Whether the end of an address names a method for embeddings. */
export const isGeminiEmbedding = (path: string): boolean => verbs.some((verb) => path.endsWith(`:${verb}`));

/** `POST /v1beta/models/{model}:embedContent` and `:batchEmbedContents`. Throws like the dialect's `read`. */
export function readGeminiEmbedding({ body, path }: Pick<DialectRequest, 'body' | 'path'>): GeminiEmbedding {
  const { model, verb } = modelPath(path);
  const isBatch = verb === 'batchEmbedContents';
  return inClientSpelling(body, () => readEmbedding(body, { model, isBatch }));
}

function readEmbedding(body: unknown, { model, isBatch }: { model: string; isBatch: boolean }): GeminiEmbedding {
  const requests = isBatch ? parsedBody(batchSchema, body).requests : [parsedBody(requestSchema, body)];
  const [first] = requests;
  refuseDifferences(requests);
  const settings = first === undefined ? {} : settingsOf(first);
  return {
    request: { model, input: requests.map(textOf), encoding_format: 'float', ...settings },
    answer: (document) => (isBatch ? batchAnswer(document) : oneAnswer(document)),
  };
}

/** The words of `/v1/embeddings`. */
const inputTypes: Readonly<Record<string, string>> = {
  RETRIEVAL_DOCUMENT: 'search_document',
  RETRIEVAL_QUERY: 'search_query',
  CLASSIFICATION: 'classification',
  CLUSTERING: 'clustering',
  SEMANTIC_SIMILARITY: 'semantic_similarity',
  QUESTION_ANSWERING: 'question_answering',
  FACT_VERIFICATION: 'fact_verification',
  CODE_RETRIEVAL_QUERY: 'code_retrieval_query',
};

const isTask = (name: string): boolean => name === 'TASK_TYPE_UNSPECIFIED' || Object.hasOwn(inputTypes, name);

const onlyText = 'must be one text: other inputs and several parts are not supported';

const requestSchema = proto({
  content: proto({
    parts: z.array(proto({ text: z.string(onlyText).min(1, 'must not be empty') })).length(1, onlyText),
  }),
  taskType: z.string().refine(isTask, 'is not a known task type').nullish(),
  title: absent('titles are not supported: put the title into the text'),
  outputDimensionality: z.int('must be a whole number').min(1, 'must be at least 1').nullish(),
});

const batchSchema = proto({ requests: z.array(requestSchema).min(1, 'must have at least one request') });

type RequestBody = z.infer<typeof requestSchema>;

const textOf = ({ content }: RequestBody): string => content.parts.map(({ text }) => text).join('');

function settingsOf({ taskType, outputDimensionality }: RequestBody): object {
  const inputType = inputTypes[taskType ?? ''];
  return {
    ...(inputType && { input_type: inputType }),
    ...(typeof outputDimensionality === 'number' && { dimensions: outputDimensionality }),
  };
}

/** One request for embeddings has one setting for all texts. */
function refuseDifferences(requests: readonly RequestBody[]): void {
  for (const name of ['taskType', 'outputDimensionality'] as const) {
    const at = requests.findIndex((request) => (request[name] ?? null) !== (requests[0]?.[name] ?? null));
    if (at < 0) continue;
    const param = `requests[${at}].${name}`;
    const message = `${param}: must be the same in all requests of a batch. Send several batches.`;
    throw new GatewayError('invalid_parameters', message, { param });
  }
}

const answerSchema = z.looseObject({
  data: z.array(z.looseObject({ embedding: z.int() })),
  usage: z.looseObject({ prompt_tokens: z.number() }),
});

const usageText = (tokens: number): string => `,"usageMetadata":${JSON.stringify({ promptTokenCount: tokens })}}`;

function oneAnswer(document: DocumentWithVectors): Buffer[] {
  const { vectors, tokens } = readAnswer(document);
  return [Buffer.from('{"embedding":'), ...vectors, Buffer.from(usageText(tokens))];
}

function batchAnswer(document: DocumentWithVectors): Buffer[] {
  const { vectors, tokens } = readAnswer(document);
  return [Buffer.from('{"embeddings":['), ...vectors, Buffer.from(`]${usageText(tokens)}`)];
}

/** One slice per vector, because every slice costs a frame. */
function readAnswer({ value, vectors }: DocumentWithVectors) {
  const { data, usage } = answerSchema.parse(value);
  const written = data.map(({ embedding }, at) => {
    const slices = vectors[embedding]?.slices ?? [];
    return Buffer.concat([Buffer.from(`${at === 0 ? '' : ','}{"values":[`), ...slices, vectorEnd]);
  });
  return { vectors: written, tokens: usage.prompt_tokens };
}

const vectorEnd = Buffer.from(']}');
