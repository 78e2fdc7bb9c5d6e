import type { Offer } from '@tallyport/contracts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import { faultIn } from './error.ts';
import type { OpenAiVendor } from './vendor.ts';
import { finiteNumber, isMembers, items, members } from '../read.ts';
import type { EmbeddingsFormat } from '../spec/call-formats.ts';
import type { EmbeddingCall, EmbeddingLimits, InputType, VectorType } from '../spec/embedding-call.ts';
import { vectorsIn } from '../embeddings/vectors-in.ts';

/** How a vendor deviates from OpenAI's embeddings. */
export interface OpenAiEmbeddingsOptions {
  /** Defaults to `/embeddings`. */
  path?: string;
  limits?: Partial<EmbeddingLimits>;
  /** The vendor can answer in base64. Without it, `encoding_format` is not sent, and answers are numbers. */
  base64?: boolean;
  /** The vendor accepts tokens in place of text. */
  tokens?: boolean;
  /** The name of `dimensions`, and the models whose vectors cannot be cut; absent if none can. */
  dimensions?: { name: string; except?: RegExp };
  /** The vendor's name of what the vectors are for, and its words; those without one are refused. */
  inputTypes?: { name: string; values: Readonly<Partial<Record<InputType, string>>> };
  /** The name of `output_dtype`, the forms besides floats, and the models that have none. */
  vectorTypes?: { name: string; values: readonly VectorType[]; except?: RegExp };
  /** The name of `truncation` at vendors that shorten a text that is too long unless they are asked not to. */
  truncation?: string;
  /** The vendor accepts `user`, a label for abuse detection. */
  user?: boolean;
}

/** OpenAI's own limits. */
const usualLimits: EmbeddingLimits = { inputs: 2_048, tokens: 300_000 };

/** OpenAI's embeddings, and those of vendors with its format. */
export function openAiEmbeddings(vendor: OpenAiVendor, options: OpenAiEmbeddingsOptions): EmbeddingsFormat {
  return {
    limits: () => ({ ...usualLimits, ...options.limits }),
    unsupported: (call, offer) => unsupported(call, offer, options),
    request: (call, offer) => posted(options.path ?? '/embeddings', bodyOf(call, offer, options)),
    response(body, { inputs }) {
      if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
      const fault = faultIn(body, vendor);
      if (fault !== undefined) throw fault;
      const promptTokens = tokensIn(body.usage);
      const vectors = vectorsIn(inOrder(items(body.data)), inputs.length, vendor.id);
      return { vectors, ...(promptTokens !== undefined && { promptTokens }) };
    },
  };
}

function unsupported(call: EmbeddingCall, { modelName }: Offer, options: OpenAiEmbeddingsOptions): string | undefined {
  const { inputs, dimensions, inputType, vectorType } = call;
  const { tokens = false, dimensions: cut, inputTypes, vectorTypes: types, truncation } = options;
  const lacks: Readonly<Record<string, boolean>> = {
    input: !tokens && inputs.some((input) => typeof input !== 'string'),
    input_type: inputType !== undefined && inputTypes?.values[inputType] === undefined,
    dimensions: dimensions !== undefined && !has(cut, modelName),
    output_dtype: vectorType !== undefined && !(has(types, modelName) && types?.values.includes(vectorType)),
    truncation: call.truncation === true && truncation === undefined,
  };
  return Object.keys(lacks).find((name) => lacks[name]);
}

const has = (ability: { except?: RegExp } | undefined, modelName: string): boolean =>
  ability !== undefined && ability.except?.test(modelName) !== true;

const bodyOf = (
  { inputs, dimensions, encoding, inputType, vectorType, truncation, user }: EmbeddingCall,
  { modelName }: Offer,
  {
    base64,
    dimensions: cut,
    inputTypes,
    vectorTypes: types,
    truncation: shortens,
    user: takesUser,
  }: OpenAiEmbeddingsOptions,
): object => ({
  model: modelName,
  input: inputs,
  ...(base64 === true && { encoding_format: encoding }),
  ...(cut !== undefined && dimensions !== undefined && { [cut.name]: dimensions }),
  ...(inputTypes && inputType && { [inputTypes.name]: inputTypes.values[inputType] }),
  ...(types && vectorType && { [types.name]: vectorType }),
  ...(shortens !== undefined && { [shortens]: truncation === true }),
  ...(takesUser === true && user !== undefined && { user }),
});

/**
 * By `index`, because some servers answer in the order in which they finished. In the order of the answer where these are
 * not all numbers from 0: some servers count from 1, or give none.
 */
function inOrder(entries: readonly unknown[]): unknown[] {
  const read = entries.map(members);
  const ordered = new Map(read.map((entry) => [entry.index, entry.embedding]));
  const isNumbered = read.every((_, at) => ordered.has(at));
  return read.map(({ embedding }, at) => (isNumbered ? ordered.get(at) : embedding));
}

/** Some vendors count only `total_tokens`, which is the same. */
function tokensIn(usage: unknown): number | undefined {
  const { prompt_tokens: prompt, total_tokens: total } = members(usage);
  return finiteNumber(prompt) ?? finiteNumber(total);
}
