import {
  type ApiError,
  type ArrivedRequest,
  embeddingInputs,
  embeddingsList,
  findEmbeddingFault,
  inputTokens,
  invalidRequest,
  isObject,
  jsonOf,
  type JsonObject,
  jsonReply,
  meteredInput,
  objectsOf,
  type VendorRoute,
  type RouteAnswer,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { quantised } from '../quantised.ts';
import { findUnknownEmbeddingMember } from '../openai/embedding-strictness.ts';
import { dialectOf, refusalOf, wordedFor } from './dialect.ts';
import { notJson, unknownMember, unsupported } from '../refusals.ts';
import type { CompatibleVendor } from './vendor.ts';

/** How a vendor's embeddings differ from OpenAI's. */
interface EmbeddingVendor {
  readonly id: string;
  /** Defaults to `/embeddings` after its base. */
  readonly path?: RegExp;
  /** Members besides `model` and `input`; others are refused. */
  readonly members: readonly string[];
  readonly mostInputs?: number;
  /** Refuses tokens in place of text. */
  readonly textOnly?: true;
  /** The name of `dimensions`. */
  readonly dimensions?: string;
  /** The models that cannot cut their vectors. */
  readonly wholeOnly?: RegExp;
  /** Sends no usage. */
  readonly countsNothing?: true;
  readonly deploymentOf?: (request: ArrivedRequest) => string | undefined;
  readonly usage?: (tokens: number) => object;
}

const vendors: readonly EmbeddingVendor[] = [
  { id: 'alibaba', members: ['dimensions', 'encoding_format'], mostInputs: 10, textOnly: true },
  {
    id: 'azure',
    path: /^\/azure\/openai\/(?:v1|deployments\/[^/]+)\/embeddings$/,
    members: ['dimensions', 'encoding_format', 'user'],
    deploymentOf: ({ path }) => /\/deployments\/([^/]+)\//.exec(path)?.[1],
  },
  { id: 'fireworks', members: ['dimensions'], textOnly: true },
  {
    id: 'mistral',
    members: ['output_dimension', 'output_dtype', 'encoding_format', 'metadata'],
    textOnly: true,
    dimensions: 'output_dimension',
    wholeOnly: /^mistral-embed/,
    usage: (tokens) => ({ prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens }),
  },
  { id: 'ollama', members: ['dimensions', 'encoding_format'], textOnly: true },
  { id: 'together', members: [], textOnly: true, countsNothing: true },
  { id: 'vllm', members: ['dimensions', 'encoding_format', 'user', 'truncate_prompt_tokens'] },
];

interface EmbeddingRouteOptions {
  /** The vendor of chats, for its error texts. */
  vendorOf(id: string): CompatibleVendor;
  knowsKey(request: ArrivedRequest, vendor: CompatibleVendor): boolean;
}

/** The embeddings of vendors with OpenAI's format. */
export const compatibleEmbeddings = ({ vendorOf, knowsKey }: EmbeddingRouteOptions): VendorRoute[] =>
  vendors.map((embedding) => {
    const vendor = vendorOf(embedding.id);
    return {
      method: 'POST',
      path: embedding.path ?? new RegExp(`^${basePathOf(embedding.id)}/embeddings$`),
      provider: embedding.id,
      faulty: true,
      dialect: dialectOf(vendor),
      answer: (request) =>
        knowsKey(request, vendor)
          ? answerEmbeddings(request, embedding, vendor)
          : { answer: refusalOf(vendor, wordedFor(vendor, 401)) },
    };
  });

function answerEmbeddings(request: ArrivedRequest, embedding: EmbeddingVendor, vendor: CompatibleVendor): RouteAnswer {
  const parsed = jsonOf(request.body.toString());
  if (!isObject(parsed)) return { answer: refusalOf(vendor, notJson) };
  const body: JsonObject = { ...parsed, ...named(embedding.deploymentOf?.(request)) };
  const model = String(body.model);
  const error = findFault(body, embedding);
  if (error) return { model, answer: refusalOf(vendor, error) };
  const prompt = inputTokens(body);
  const { dimensions = 'dimensions', usage = plainUsage, countsNothing } = embedding;
  const asked = { ...body, dimensions: body[dimensions] };
  const list = embeddingsList(asked, countsNothing ? undefined : usage(prompt));
  return { model, metered: meteredInput(prompt), answer: jsonReply(200, inType(list, body.output_dtype)) };
}

/** Mistral's smaller numbers. */
function inType(list: object, type: unknown): object {
  if (type === undefined) return list;
  const data = objectsOf((list as JsonObject).data);
  return { ...list, data: data.map((entry) => ({ ...entry, embedding: quantised(numbersIn(entry), type) })) };
}

const numbersIn = ({ embedding }: JsonObject): number[] => (Array.isArray(embedding) ? embedding.map(Number) : []);

const named = (model: string | undefined) => (model === undefined ? {} : { model });

const plainUsage = (tokens: number) => ({ prompt_tokens: tokens, total_tokens: tokens });

function findFault(body: JsonObject, embedding: EmbeddingVendor): ApiError | undefined {
  const { members, mostInputs = 2_048, textOnly, wholeOnly, dimensions = 'dimensions' } = embedding;
  const unknown = unknownMember(body, ['model', 'input', ...members]);
  if (unknown !== undefined) return unsupported(unknown);
  const inputs = embeddingInputs(body);
  if (inputs.length > mostInputs) return invalidRequest(`At most ${mostInputs} inputs are allowed.`, 'input');
  if (textOnly && inputs.some((input) => typeof input !== 'string'))
    return invalidRequest('Text is required.', 'input');
  if (body[dimensions] !== undefined && wholeOnly?.test(String(body.model))) return unsupported(dimensions);
  return findEmbeddingFault(body) ?? unknownModel(body);
}

/** Names that every vendor refuses. */
const unknownModel = (body: JsonObject): ApiError | undefined =>
  /unknown/.test(String(body.model)) ? findUnknownEmbeddingMember({ model: 'unknown' }) : undefined;
