import { invalidRequest, isObject, type JsonObject, type ApiError, objectsOf } from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { unsupported } from '../refusals.ts';

/** A vendor whose embeddings are not OpenAI's. */
export interface EmbeddingVendor {
  readonly id: string;
  readonly path: string;
  readonly models: RegExp;
  /** The members that it has; others are refused. */
  readonly members: readonly string[];
  readonly errorBody: (message: string) => unknown;
  /** Its names of members. */
  readonly dimensions: string;
  readonly types: { readonly member: string; readonly values: readonly string[] };
  readonly mostInputs: number;
  readonly dimensionsOf: (model: string) => number;
  /** The texts in the order of their vectors; `undefined` if the request has a wrong form. */
  texts(body: JsonObject): readonly string[] | undefined;
  fault?(body: JsonObject): ApiError | undefined;
  write(made: MadeVectors): unknown;
}

interface MadeVectors {
  readonly body: JsonObject;
  readonly type: string;
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number;
}

const detail = (message: string) => ({ detail: message });

const textsIn = (input: unknown): readonly string[] | undefined => {
  const given = [input].flat();
  const texts = given.filter((text) => typeof text === 'string');
  return texts.length > 0 && texts.length === given.length && !texts.includes('') ? texts : undefined;
};

const listed = (vectors: MadeVectors['vectors']) =>
  vectors.map((embedding, index) => ({ object: 'embedding', embedding, index }));

const cohereTypes = ['search_document', 'search_query', 'classification', 'clustering', 'image'];

const cohere: EmbeddingVendor = {
  id: 'cohere',
  path: `${basePathOf('cohere')}/v2/embed`,
  models: /^embed-/,
  members: [
    'model',
    'texts',
    'input_type',
    'embedding_types',
    'output_dimension',
    'truncate',
    'max_tokens',
    'priority',
  ],
  errorBody: (message) => ({ id: 'sim-0000', message }),
  dimensions: 'output_dimension',
  types: { member: 'embedding_types', values: ['float', 'int8', 'uint8', 'binary', 'ubinary'] },
  mostInputs: 96,
  dimensionsOf: (model) => (/v4/.test(model) ? 1_536 : 1_024),
  texts: ({ texts }) => textsIn(texts),
  fault({ input_type: type, output_dimension: dimensions, model, truncate }) {
    if (!cohereTypes.includes(String(type))) return invalidRequest('invalid input_type', 'input_type');
    if (!['NONE', 'START', 'END'].includes(String(truncate))) return unsupported('truncate');
    const isCut =
      dimensions === undefined || (/v4/.test(String(model)) && [256, 512, 1024, 1536].includes(Number(dimensions)));
    return isCut ? undefined : unsupported('output_dimension');
  },
  write: ({ body, type, vectors, tokens }) => ({
    id: 'sim-0000',
    embeddings: { [type]: vectors },
    texts: body.texts,
    response_type: 'embeddings_by_type',
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokens } },
  }),
};

const jina: EmbeddingVendor = {
  id: 'jina',
  path: `${basePathOf('jina')}/embeddings`,
  models: /^jina-embeddings/,
  members: ['model', 'input', 'task', 'dimensions', 'normalized', 'embedding_type', 'late_chunking', 'truncate'],
  errorBody: detail,
  dimensions: 'dimensions',
  types: { member: 'embedding_type', values: ['float', 'binary', 'ubinary'] },
  mostInputs: 512,
  dimensionsOf: (model) => (/v4/.test(model) ? 2_048 : 1_024),
  texts: ({ input }) => textsIn(input),
  fault: ({ task }) =>
    task === undefined || /^(retrieval\.(query|passage)|text-matching|classification|separation)$/.test(String(task))
      ? undefined
      : unsupported('task'),
  write: ({ body, vectors, tokens }) => ({
    object: 'list',
    model: body.model,
    data: listed(vectors),
    usage: { total_tokens: tokens, prompt_tokens: tokens },
  }),
};

const voyage = {
  id: 'voyage',
  errorBody: detail,
  dimensions: 'output_dimension',
  types: { member: 'output_dtype', values: ['float', 'int8', 'uint8', 'binary', 'ubinary'] },
  mostInputs: 1_000,
  dimensionsOf: () => 1_024,
  fault: ({ input_type: type, output_dimension: dimensions }: JsonObject) => {
    if (type !== undefined && type !== null && type !== 'query' && type !== 'document')
      return unsupported('input_type');
    return dimensions === undefined || [256, 512, 1024, 2048].includes(Number(dimensions))
      ? undefined
      : unsupported('output_dimension');
  },
} as const;

const shared = ['model', 'input_type', 'output_dimension', 'output_dtype', 'encoding_format'];

const contentText = (input: JsonObject): unknown => objectsOf(input.content)[0]?.text;

/** All further addresses are Voyage's. */
export const embeddingVendors: readonly EmbeddingVendor[] = [
  cohere,
  jina,
  {
    ...voyage,
    path: `${basePathOf('voyage')}/embeddings`,
    models: /^voyage-(?!context|multimodal)/,
    members: [...shared, 'input', 'truncation'],
    texts: ({ input }) => textsIn(input),
    write: ({ body, vectors, tokens }) => ({
      object: 'list',
      data: listed(vectors),
      model: body.model,
      usage: { total_tokens: tokens },
    }),
  },
  {
    ...voyage,
    path: `${basePathOf('voyage')}/contextualizedembeddings`,
    models: /^voyage-context/,
    members: [...shared, 'inputs', 'enable_auto_chunking', 'chunk_size'],
    // A part has another vector in another document.
    texts: ({ inputs }) => {
      const documents = Array.isArray(inputs)
        ? inputs.map((parts) => (Array.isArray(parts) ? textsIn(parts) : undefined))
        : [];
      const all = documents.flatMap((parts) =>
        parts?.map((part) => (parts.length > 1 ? `${part} in ${parts.join()}` : part)),
      );
      return all.length > 0 && all.every((text) => text !== undefined) ? all : undefined;
    },
    write({ body, vectors, tokens }) {
      let from = 0;
      const data = [body.inputs].flat().map((parts, index) => {
        const count = Array.isArray(parts) ? parts.length : 0;
        from += count;
        return { object: 'list', data: listed(vectors.slice(from - count, from)), index };
      });
      return { object: 'list', data, model: body.model, usage: { total_tokens: tokens } };
    },
  },
  {
    ...voyage,
    path: `${basePathOf('voyage')}/multimodalembeddings`,
    models: /^voyage-multimodal/,
    members: ['model', 'input_type', 'inputs', 'truncation', 'output_encoding'],
    texts: ({ inputs }) => (Array.isArray(inputs) ? textsIn(inputs.filter(isObject).map(contentText)) : undefined),
    write: ({ body, vectors, tokens }) => ({
      object: 'list',
      data: listed(vectors),
      model: body.model,
      usage: { text_tokens: tokens, image_pixels: 0, total_tokens: tokens },
    }),
  },
];
