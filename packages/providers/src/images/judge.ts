import { type ErrorCode, GatewayError, type Offer } from '@switchyard/contracts';
import type { ImageAbilities, ImageCall, ImageConfig, PixelSizes, ShapeSizes } from '../image-provider.ts';
import { type Dimensions, dimensionsOf } from './sizes.ts';

/** Something in a request that a model cannot do: where it stands, and what may stand there instead. */
export interface ImageIssue {
  readonly param: string;
  readonly message: string;
  readonly code: ErrorCode;
}

/** What one model at one provider cannot honour of a request; nothing where it can honour all. */
export function judgeImages(call: ImageCall, abilities: ImageAbilities, offer: Offer): ImageIssue[] {
  const model = `${offer.modelName} of ${offer.providerId}`;
  const judged: Judged = { call, config: call.config ?? {}, abilities, model };
  return judges.flatMap((judge) => judge(judged) ?? []);
}

export const issueError = ({ param, message, code }: ImageIssue): GatewayError =>
  new GatewayError(code, `${param}: ${message}.`, { param });

interface Judged {
  readonly call: ImageCall;
  readonly config: ImageConfig;
  readonly abilities: ImageAbilities;
  readonly model: string;
}

type Judge = (judged: Judged) => ImageIssue | readonly ImageIssue[] | undefined;

/** In the order in which a client would want to hear of them. */
const judges: readonly Judge[] = [
  inputs,
  prompt,
  members,
  aspectRatio,
  imageSize,
  count,
  seed,
  size,
  quality,
  background,
];

/** The image endpoints have members for what stands in the messages of a chat. */
const placeOf = ({ config }: ImageCall, own: string): string => (config === undefined ? own : 'messages');

function inputs({ call, abilities, model }: Judged): ImageIssue | undefined {
  const param = placeOf(call, 'images');
  if (call.operation === 'generate' && abilities.onlyEdits) {
    return { ...unsupported(param), message: `${model} only changes images; give it one` };
  }
  if (call.operation === 'generate') return undefined;
  if (abilities.inputs === undefined) return { ...unsupported(param), message: `${model} takes no images` };
  const { count: most } = abilities.inputs;
  return call.images.length > most ? invalid(param, `${model} takes at most ${most} of them`) : undefined;
}

function prompt({ call, abilities, model }: Judged): ImageIssue | undefined {
  const param = placeOf(call, 'prompt');
  if (call.prompt.trim() === '') return invalid(param, 'must say in words what is wanted');
  const most = abilities.mostPrompt;
  return call.prompt.length > most ? invalid(param, `${model} takes at most ${most} characters`) : undefined;
}

function members({ config, abilities, model }: Judged): ImageIssue[] {
  const known: readonly string[] = abilities.config;
  const message = known.length === 0 ? `${model} has no such settings` : `${model} knows ${known.join(', ')}`;
  return Object.keys(config)
    .filter((name) => !known.includes(name))
    .map((name) => ({ param: `image_config.${name}`, message, code: 'unsupported_parameter' }));
}

function aspectRatio({ config: { aspect_ratio: ratio }, abilities: { sizes } }: Judged): ImageIssue | undefined {
  if (ratio === undefined || sizes.kind !== 'shape' || sizes.aspectRatios.includes(ratio)) return undefined;
  return invalid('image_config.aspect_ratio', `must be one of ${sizes.aspectRatios.join(', ')}`);
}

function imageSize({ config: { image_size: wished }, abilities: { config, sizes } }: Judged): ImageIssue | undefined {
  if (wished === undefined || !config.includes('image_size')) return undefined;
  const why = sizes.kind === 'shape' ? wrongClass(wished, sizes) : wrongPixels(wished, sizes);
  return why === undefined ? undefined : invalid('image_config.image_size', why);
}

function wrongClass(wished: string, { classes }: ShapeSizes): string | undefined {
  if (Object.hasOwn(classes, wished)) return undefined;
  const known = Object.keys(classes);
  return known.length === 0 ? 'this model has one size only' : `must be one of ${known.join(', ')}`;
}

function wrongPixels(wished: string, sizes: PixelSizes): string | undefined {
  const pixels = dimensionsOf(wished);
  if (pixels === undefined) return 'must be WIDTHxHEIGHT, such as 1024x1024';
  return sizes.kind === 'free' && isBeyond(pixels, sizes)
    ? `must be at most ${sizes.mostSide} pixels a side and ${sizes.mostPixels} altogether`
    : undefined;
}

const isBeyond = ({ width, height }: Dimensions, { mostSide, mostPixels }: { mostSide: number; mostPixels: number }) =>
  Math.max(width, height) > mostSide || width * height > mostPixels;

/** Of the image endpoints the most is the same for all models; of chats it is the model's. */
const mostOfEndpoints = 10;

function count({ call: { n, config }, abilities: { mostWanted } }: Judged): ImageIssue | undefined {
  const most = config?.n === undefined ? mostOfEndpoints : mostWanted;
  if (Number.isSafeInteger(n) && n >= 1 && n <= most) return undefined;
  return invalid(config?.n === undefined ? 'n' : 'image_config.n', `must be a whole number from 1 to ${most}`);
}

function seed({ config: { seed: wished }, abilities: { mostSeed } }: Judged): ImageIssue | undefined {
  if (wished === undefined || mostSeed === undefined || (wished >= 0 && wished <= mostSeed)) return undefined;
  return invalid('image_config.seed', `must be a whole number from 0 to ${mostSeed}`);
}

function size({ call: { size: wished } }: Judged): ImageIssue | undefined {
  if (wished === undefined || wished === 'auto' || dimensionsOf(wished) !== undefined) return undefined;
  return invalid('size', 'must be auto or WIDTHxHEIGHT, such as 1024x1024');
}

function quality({ call: { quality: wished }, abilities: { qualities } }: Judged): ImageIssue | undefined {
  if (wished === undefined || qualities === undefined || Object.hasOwn(qualities, wished)) return undefined;
  return invalid('quality', `must be one of ${Object.keys(qualities).join(', ')}`);
}

function background({ call, abilities: { transparency }, model }: Judged): ImageIssue | undefined {
  if (call.background !== 'transparent') return undefined;
  if (call.outputFormat === 'jpeg') return invalid('background', 'transparent needs an output_format of png or webp');
  if (transparency) return undefined;
  return {
    param: 'background',
    message: `${model} makes none that is transparent; use opaque or auto`,
    code: 'unsupported_parameter',
  };
}

const invalid = (param: string, message: string): ImageIssue => ({ param, message, code: 'invalid_parameters' });

const unsupported = (param: string) => ({ param, code: 'unsupported_capability' }) as const;
