import {
  jsonReply,
  type JsonObject,
  invalidRequest,
  openAiUnknownModel,
  type ApiError,
  inputImageOf,
  imageSpecOf,
  type ImageOrder,
  hasImageDirective,
} from '@tallyport/sandbox';
import { dialectOf, refusalOf } from '../../compatible/dialect.ts';
import { refuseMembers } from '../../refusals.ts';
import { togetherVendor } from '../../compatible/vendors/together.ts';
import type { ImageTurn, ImageVendor } from '../vendor.ts';

/** Width and height are separate members, and `base64` is used in place of `b64_json`. */
export const togetherImages: ImageVendor = {
  id: 'together',
  path: /^\/together\/v1\/images\/generations$/,
  dialect: dialectOf(togetherVendor),
  refusal: (error) => refusalOf(togetherVendor, error),
  answer: (turn) => findFault(turn.body) ?? write(turn, readOrder(turn)),
};

const refuse = (param: string, message: string): ApiError => invalidRequest(message, param, 'invalid_request');

const isWithin = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

function findFault(body: JsonObject): ApiError | undefined {
  const model = String(body.model);
  if (!/^[\w.-]+\/[\w.-]+$/.test(model) || model.includes('unknown')) return openAiUnknownModel(model);
  return (
    refuseMembers(body, ['size', 'quality', 'style']) ??
    checkOrder(body) ??
    checkSides(body) ??
    (hasImageDirective(String(body.prompt), 'safety') ? unsafe : undefined)
  );
}

function checkOrder({
  prompt,
  n = 1,
  response_format: format = 'url',
  image_url: image,
}: JsonObject): ApiError | undefined {
  if (typeof prompt !== 'string' || prompt === '') return refuse('prompt', 'Prompt must not be empty.');
  if (!isWithin(n, 1, 4)) return refuse('n', 'n must be between 1 and 4.');
  if (format !== 'url' && format !== 'base64') return refuse('response_format', "Use 'base64' or 'url'.");
  const readable = image === undefined || inputImageOf(image) !== undefined;
  return readable ? undefined : refuse('image_url', 'The image could not be read.');
}

const unsafe = invalidRequest('NSFW content detected in prompt.', null, 'content_policy_violation');

function checkSides(body: JsonObject): ApiError | undefined {
  const wrong = ['width', 'height'].find((name) => body[name] !== undefined && !isWithin(body[name], 64, 2048));
  return wrong === undefined ? undefined : refuse(wrong, `${wrong} must be between 64 and 2048.`);
}

function readOrder({ body, request }: ImageTurn): ImageOrder {
  const { prompt, width = 1024, height = 1024, seed, image_url: image } = body;
  const input = inputImageOf(image);
  return {
    provider: request.provider,
    prompt: String(prompt),
    seed,
    inputs: input === undefined ? [] : [input],
    size: {
      width: Number(width),
      height: Number(height),
    },
    format: 'jpeg',
  };
}

function write({ body, encode, publish }: ImageTurn, order: ImageOrder) {
  const { prompt } = order;
  const length = hasImageDirective(prompt, 'no-image') ? 0 : Number(body.n ?? 1);
  const data = Array.from({ length }, (_, index) => {
    const spec = imageSpecOf(order, index);
    return {
      index,
      ...(body.response_format === 'base64' ? { b64_json: encode(spec) } : { url: publish(spec, prompt) }),
    };
  });
  return { reply: jsonReply(200, { id: 'sim-0000', model: body.model, object: 'list', data }), images: length };
}
