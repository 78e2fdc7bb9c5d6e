import { jsonReply } from '../answer.ts';
import { isObject, type JsonObject, jsonOf } from '../json.ts';
import { meteredInput } from '../model/metered.ts';
import { vectorInBase64, vectorOf } from '../model/vector.ts';
import type { ArrivedRequest, RouteAnswer } from '../route.ts';
import { type ApiError, invalidRequest, openAiErrorReply } from './errors.ts';
import type { OpenAiProvider } from './provider.ts';

/** Answers requests for embeddings. */
export const createEmbeddings =
  ({ refuseEmbeddings }: Pick<OpenAiProvider, 'refuseEmbeddings'>) =>
  ({ body: bytes }: ArrivedRequest): RouteAnswer => {
    const body = jsonOf(bytes.toString());
    if (!isObject(body)) return { answer: openAiErrorReply(notJson) };
    const model = String(body.model);
    const refusal = refuseEmbeddings(body) ?? findEmbeddingFault(body);
    if (refusal) return { model, answer: openAiErrorReply(refusal) };
    const prompt = inputTokens(body);
    return {
      model,
      metered: meteredInput(prompt),
      answer: jsonReply(200, embeddingsList(body, { prompt_tokens: prompt, total_tokens: prompt })),
    };
  };

const notJson = invalidRequest('We could not parse the JSON body of your request.', null);

/** The inputs: a list that starts with a number is the tokens of one. */
export function embeddingInputs({ input }: JsonObject): readonly unknown[] {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input : [input];
}

/** Four characters are a token. */
export const inputTokens = (body: JsonObject): number =>
  embeddingInputs(body).reduce<number>((sum, input) => sum + tokensOf(input), 0);

const tokensOf = (input: unknown): number =>
  Array.isArray(input) ? input.length : Math.ceil(String(input).length / 4);

/** The answer in OpenAI's format; members of `usage` are omitted without one. */
export function embeddingsList(body: JsonObject, usage?: object): object {
  const dimensions = typeof body.dimensions === 'number' ? body.dimensions : usualDimensions(String(body.model));
  const isBase64 = body.encoding_format === 'base64';
  const data = embeddingInputs(body).map((input, index) => {
    const vector = vectorOf(input, dimensions);
    return { object: 'embedding', index, embedding: isBase64 ? vectorInBase64(vector) : [...vector] };
  });
  return { object: 'list', data, model: body.model, ...(usage && { usage }) };
}

const usualDimensions = (model: string): number =>
  /3-large/.test(model) ? 3_072 : /bge/.test(model) ? 1_024 : /sandbox/.test(model) ? 256 : 1_536;

/** The rules of OpenAI. */
export function findEmbeddingFault(body: JsonObject): ApiError | undefined {
  const inputs = embeddingInputs(body);
  const { dimensions, encoding_format: encoding } = body;
  if (inputs.length === 0 || inputs.some(isInvalid)) return invalidRequest("'$.input' is invalid.", 'input');
  if (inputs.length > 2_048) return invalidRequest("'$.input' is too long.", 'input');
  if (inputs.some((input) => tokensOf(input) > 8_192))
    return invalidRequest("This model's maximum context length is 8192 tokens.", 'input');
  if (inputTokens(body) > 300_000) return invalidRequest('Requested more than 300000 tokens.', 'input');
  if (encoding !== undefined && encoding !== 'float' && encoding !== 'base64')
    return invalidRequest("'encoding_format' must be one of 'float' and 'base64'.", 'encoding_format');
  if (dimensions !== undefined && /ada-002/.test(String(body.model)))
    return invalidRequest('This model does not support specifying dimensions.', 'dimensions');
  return undefined;
}

const isInvalid = (input: unknown): boolean =>
  typeof input === 'string'
    ? input === ''
    : !Array.isArray(input) || input.length === 0 || !input.every(Number.isInteger);
