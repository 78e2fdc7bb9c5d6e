import {
  type ArrivedRequest,
  charactersPerToken,
  isObject,
  jsonOf,
  type JsonObject,
  jsonReply,
  meteredInput,
  type RouteAnswer,
  vectorOf,
} from '@tallyport/sandbox';
import { googleErrorReply, googleInvalid, googleUnknownModel, type GoogleError } from './errors.ts';

const mostInputs = 100;
const [leastDimensions, wholeDimensions] = [128, 3_072];

/** Serves batchEmbedContents. Only whole vectors have length 1, and the answer has no counts. */
export function answerBatchEmbed({ path, body: bytes }: ArrivedRequest): RouteAnswer {
  const model = decodeURIComponent(/models\/([^/:]+):/.exec(path)?.[1] ?? '');
  const body = jsonOf(bytes.toString());
  const requests = isObject(body) && Array.isArray(body.requests) ? body.requests : [];
  const error = findFault(requests, model);
  if (error) return { model, answer: googleErrorReply(error) };
  const read = requests.map((request) => readRequest(request));
  const tokens = read.reduce((sum, { text }) => sum + Math.ceil(text.length / charactersPerToken), 0);
  const embeddings = read.map(({ text, dimensions }) => embed(text, dimensions));
  return { model, metered: meteredInput(tokens), answer: jsonReply(200, { embeddings }) };
}

function findFault(requests: readonly unknown[], model: string): GoogleError | undefined {
  if (!/embedding/.test(model)) return googleUnknownModel(model);
  if (requests.length === 0) return googleInvalid('* BatchEmbedContentsRequest.requests: cannot be empty');
  if (requests.length > mostInputs)
    return googleInvalid(`* BatchEmbedContentsRequest.requests: at most ${mostInputs} requests can be in one batch`);
  for (const [at, request] of requests.entries()) {
    const { text, dimensions, named } = readRequest(request);
    const place = `* BatchEmbedContentsRequest.requests[${at}]`;
    if (named !== `models/${model}`) return googleInvalid(`${place}.model: does not match the batch's model`);
    if (text === '') return googleInvalid(`${place}.content: contents is not specified`);
    if (dimensions < leastDimensions || dimensions > wholeDimensions)
      return googleInvalid(`${place}.output_dimensionality: must be from ${leastDimensions} to ${wholeDimensions}`);
  }
  return undefined;
}

function readRequest(request: unknown): { text: string; dimensions: number; named: unknown } {
  const { model, content, outputDimensionality }: JsonObject = isObject(request) ? request : {};
  const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
  const texts = parts.map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : ''));
  const dimensions = outputDimensionality === undefined ? wholeDimensions : Number(outputDimensionality);
  return { text: texts.join(''), dimensions, named: model };
}

const embed = (text: string, dimensions: number) => ({
  values: [...vectorOf(text, wholeDimensions).subarray(0, dimensions)],
});
