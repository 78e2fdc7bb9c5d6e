import {
  jsonReply,
  objectsOf,
  type JsonObject,
  type ApiError,
  inputImageOf,
  imageSpecOf,
  promptTokensOf,
  type ImageOrder,
  hasImageDirective,
} from '@tallyport/sandbox';
import { dialectOf, refusalOf, wordedFor } from '../../compatible/dialect.ts';
import { xaiVendor } from '../../compatible/vendors/xai.ts';
import { ratioSize } from '../../ratio.ts';
import type { ImageTurn, ImageVendor } from '../vendor.ts';

/** JPEG by ratio and resolution; moderation is reported for each image. */
export const xaiImages: ImageVendor = {
  id: 'xai',
  path: /^\/xai\/v1\/images\/(?:generations|edits)$/,
  dialect: dialectOf(xaiVendor),
  refusal: (error) => refusalOf(xaiVendor, error),
  answer: (turn) => {
    const edits = turn.request.path.endsWith('/edits');
    return findFault(turn.body, edits) ?? write(turn, readOrder(turn));
  },
};

const refuse = (message: string): ApiError => ({ ...wordedFor(xaiVendor, 400), message });

const known = [
  'model',
  'prompt',
  'n',
  'response_format',
  'aspect_ratio',
  'resolution',
  'quality',
  'user',
  'image',
  'images',
];

const ratios = [
  '1:1',
  '16:9',
  '9:16',
  '4:3',
  '3:4',
  '3:2',
  '2:3',
  '2:1',
  '1:2',
  '19.5:9',
  '9:19.5',
  '20:9',
  '9:20',
  'auto',
];

function findFault(body: JsonObject, edits: boolean): ApiError | undefined {
  const other = Object.keys(body).find((name) => !known.includes(name));
  if (other !== undefined) return refuse(`Argument not supported: ${other}`);
  if (!/^grok-(imagine-image|2-image)/.test(String(body.model)))
    return { ...wordedFor(xaiVendor, 404), message: `The model ${String(body.model)} does not exist.` };
  return checkOrder(body) ?? checkShape(body) ?? (edits ? checkInputs(body) : undefined);
}

function checkOrder({ prompt, n = 1, response_format: format = 'url' }: JsonObject): ApiError | undefined {
  if (typeof prompt !== 'string' || prompt === '') return refuse('Prompt must not be empty.');
  if (!Number.isInteger(n) || Number(n) < 1 || Number(n) > 10) return refuse('n must be between 1 and 10.');
  return format === 'url' || format === 'b64_json' ? undefined : refuse('response_format must be url or b64_json.');
}

function checkShape({
  model,
  aspect_ratio: ratio = 'auto',
  resolution = '1k',
  quality,
}: JsonObject): ApiError | undefined {
  const isSecond = String(model).includes('-2.0');
  if (![...ratios, ...(isSecond ? ['21:9', '5:2'] : [])].includes(String(ratio)))
    return refuse(`Invalid aspect_ratio: ${String(ratio)}`);
  if (resolution !== '1k' && resolution !== '2k') return refuse(`Invalid resolution: ${String(resolution)}`);
  if (quality === undefined) return undefined;
  if (!isSecond) return refuse('Argument not supported: quality');
  return quality === 'low' || quality === 'medium' ? undefined : refuse(`Invalid quality: ${String(quality)}`);
}

const inputsOf = ({ image, images }: JsonObject): JsonObject[] => objectsOf([image, images].flat());

function checkInputs(body: JsonObject): ApiError | undefined {
  const given = inputsOf(body);
  if (String(body.model).startsWith('grok-2')) return refuse('This model does not support image edits.');
  const most = String(body.model).includes('-2.0') ? 5 : 3;
  if (given.length < 1 || given.length > most) return refuse(`One to ${most} images are needed.`);
  return given.some(({ url }) => inputImageOf(url) === undefined) ? refuse('The image could not be read.') : undefined;
}

function readOrder({ body, request }: ImageTurn): ImageOrder {
  const scale = body.resolution === '2k' ? 2 : 1;
  return {
    provider: request.provider,
    prompt: String(body.prompt),
    inputs: inputsOf(body).flatMap(({ url }) => inputImageOf(url) ?? []),
    size: ratioSize(String(body.aspect_ratio ?? '1:1'), 1024 * scale),
    format: 'jpeg',
  };
}

/** One tick is a ten-thousand-millionth of a dollar. */
const ticksPerImage = 200_000_000;

function write({ body, encode, publish }: ImageTurn, order: ImageOrder) {
  const { prompt } = order;
  const n = Number(body.n ?? 1);
  const revised_prompt = `A simulated image of ${promptTokensOf(prompt)} tokens: ${prompt}`;
  const data = Array.from({ length: hasImageDirective(prompt, 'no-image') ? 0 : n }, (_, index) => {
    const blocked = hasImageDirective(prompt, 'safety') || (hasImageDirective(prompt, 'partial') && index === 1);
    if (blocked) return { url: '', revised_prompt, respect_moderation: false };
    const spec = imageSpecOf(order, index);
    const image = body.response_format === 'b64_json' ? { b64_json: encode(spec) } : { url: publish(spec, prompt) };
    return { ...image, revised_prompt, mime_type: 'image/jpeg', respect_moderation: true };
  });
  const made = data.filter(({ respect_moderation: good }) => good).length;
  return { reply: jsonReply(200, { data, usage: { cost_in_usd_ticks: data.length * ticksPerImage } }), images: made };
}
