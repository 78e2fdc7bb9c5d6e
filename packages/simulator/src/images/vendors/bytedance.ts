import {
  generatedSize,
  jsonReply,
  isObject,
  type JsonObject,
  invalidRequest,
  type ApiError,
  inputImageOf,
  imageSpecOf,
  type ImageOrder,
  pixelCount,
  sizeOf,
  stretchOf,
  writeSize,
  type PictureSize,
  hasImageDirective,
} from '@tallyport/sandbox';
import { dialectOf, refusalOf } from '../../compatible/dialect.ts';
import { refuseMembers } from '../../refusals.ts';
import { bytedanceVendor } from '../../compatible/vendors/bytedance.ts';
import type { ImageTurn, ImageVendor } from '../vendor.ts';

/** The size classes, and the minimum pixels of a custom size. */
interface Rules {
  readonly classes: Readonly<Record<string, number>>;
  readonly leastPixels: number;
}

const rulesOf: Readonly<Record<string, Rules>> = {
  'seedream-4-0-250828': { classes: { '1K': 1024, '2K': 2048, '4K': 4096 }, leastPixels: 921_600 },
  'seedream-4-5-251128': { classes: { '2K': 2048, '4K': 4096 }, leastPixels: 3_686_400 },
};

const maxPixels = 16_777_216;
/** As reported by users of its SDKs. */
const mostInputs = 14;
const mostTogether = 15;

/** JPEG, as URLs or in base64; one of several images may fail beside the good ones. */
export const bytedanceImages: ImageVendor = {
  id: 'bytedance',
  path: /^\/bytedance\/api\/v3\/images\/generations$/,
  dialect: dialectOf(bytedanceVendor),
  refusal: (error) => refusalOf(bytedanceVendor, error),
  answer: (turn) => {
    const rules = rulesOf[String(turn.body.model)];
    if (rules === undefined) return bytedanceVendor.refuse?.({ model: 'none' }, turn.request) ?? refuse('model');
    return findFault(turn.body, rules) ?? write(turn, readOrder(turn, rules));
  },
};

const refuse = (name: string, code = 'InvalidParameter'): ApiError =>
  invalidRequest(`The parameter \`${name}\` specified in the request is not valid.`, name, code);

const sensitive = (what: string, code: string): ApiError =>
  invalidRequest(`The request failed because the ${what} may contain sensitive information.`, null, code);

function findFault(body: JsonObject, rules: Rules): ApiError | undefined {
  const { prompt, size, response_format: format } = body;
  const others = ['n', 'seed', 'guidance_scale', 'output_format', 'mask', 'quality', 'style'];
  const unknown = refuseMembers(body, others);
  if (unknown) return refuse(unknown.param ?? '');
  if (typeof prompt !== 'string' || prompt === '') return refuse('prompt', 'MissingParameter');
  if (size !== undefined && pixelsOf(size, rules) === undefined) return refuse('size');
  if (format !== undefined && format !== 'url' && format !== 'b64_json') return refuse('response_format');
  return checkInputs(body) ?? (hasImageDirective(prompt, 'safety') ? sensitiveInput : undefined);
}

const sensitiveInput = sensitive('input text', 'InputTextSensitiveContentDetected');

function pixelsOf(text: unknown, { classes, leastPixels }: Rules): PictureSize | undefined {
  const side = Object.hasOwn(classes, String(text)) ? classes[String(text)] : undefined;
  if (side !== undefined) return { width: side, height: side };
  const size = sizeOf(text);
  const fits =
    size !== undefined && pixelCount(size) >= leastPixels && pixelCount(size) <= maxPixels && stretchOf(size) <= 16;
  return fits ? size : undefined;
}

const inputsOf = ({ image }: JsonObject): unknown[] => (image === undefined ? [] : [image].flat());

const countOf = ({ sequential_image_generation: several, sequential_image_generation_options: options }: JsonObject) =>
  several === 'auto' && isObject(options) && typeof options.max_images === 'number' ? options.max_images : 1;

function checkInputs(body: JsonObject): ApiError | undefined {
  const given = inputsOf(body);
  if (given.length > mostInputs || given.length + countOf(body) > mostTogether) return refuse('image');
  // The vendor does not accept a media type in capitals.
  return given.some((image) => inputImageOf(image) === undefined) ? refuse('image') : undefined;
}

function readOrder({ body, request }: ImageTurn, rules: Rules): ImageOrder {
  return {
    provider: request.provider,
    prompt: String(body.prompt),
    inputs: inputsOf(body).flatMap((image) => inputImageOf(image) ?? []),
    size: generatedSize(pixelsOf(body.size, rules) ?? { width: 2048, height: 2048 }, 'jpeg'),
    format: 'jpeg',
  };
}

function write({ body, now, encode, publish }: ImageTurn, order: ImageOrder) {
  const { prompt, size } = order;
  const blocked = sensitive('output image', 'OutputImageSensitiveContentDetected');
  const error = { error: { code: blocked.code, message: blocked.message } };
  const data = Array.from({ length: hasImageDirective(prompt, 'no-image') ? 0 : countOf(body) }, (_, index) => {
    if (hasImageDirective(prompt, 'partial') && index === 1) return error;
    const spec = imageSpecOf(order, index);
    const image = body.response_format === 'b64_json' ? { b64_json: encode(spec) } : { url: publish(spec, prompt) };
    return { ...image, size: writeSize(size) };
  });
  const made = data.filter((member) => !('error' in member)).length;
  const tokens = Math.floor((made * pixelCount(size)) / 256);
  const usage = { generated_images: made, output_tokens: tokens, total_tokens: tokens };
  return { reply: jsonReply(200, { model: body.model, created: now, data, usage }), images: made };
}
