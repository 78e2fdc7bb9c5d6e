import { type ErrorCode, GatewayError, type Offer } from '@tallyport/contracts';
import type { ImageAbilities, ImageCall, ImageConfig, PixelSizes, ShapeSizes } from '../spec/image-provider.ts';
import { type Dimensions, dimensionsOf, mostScaledPixels } from './sizes.ts';
import { withStyle } from './style.ts';

/** A member or value a model does not support: where it is in the request, and what is allowed instead. */
export interface ImageIssue {
  readonly param: string;
  readonly message: string;
  readonly code: ErrorCode;
}

/** Everything in a request that one model at one provider does not support; empty if it supports all of it. */
export function validateImageCall(call: ImageCall, abilities: ImageAbilities, offer: Offer): ImageIssue[] {
  const model = `${offer.modelName} of ${offer.providerId}`;
  const judged: ImageCheck = { call, config: call.config ?? {}, abilities, model };
  return judges.flatMap((judge) => judge(judged) ?? []);
}

export const issueError = ({ param, message, code }: ImageIssue): GatewayError =>
  new GatewayError(code, `${param}: ${message}.`, { param });

interface ImageCheck {
  readonly call: ImageCall;
  readonly config: ImageConfig;
  readonly abilities: ImageAbilities;
  readonly model: string;
}

type Judge = (judged: ImageCheck) => ImageIssue | readonly ImageIssue[] | undefined;

/** In the order in which a client should read the issues. */
const judges: readonly Judge[] = [
  inputs,
  mask,
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

/** The image endpoints have separate members for what a chat has in its messages. */
const placeOf = ({ config }: ImageCall, own: string): string => (config === undefined ? own : 'messages');

function inputs({ call, abilities, model }: ImageCheck): ImageIssue | undefined {
  const param = placeOf(call, 'images');
  if (call.operation === 'generate' && abilities.editsOnly) {
    return { ...unsupported(param), message: `${model} only edits images; send at least one` };
  }
  if (call.operation === 'generate') return undefined;
  if (abilities.inputs === undefined) return { ...unsupported(param), message: `${model} does not accept images` };
  const { count: most } = abilities.inputs;
  return call.images.length > most ? invalid(param, `${model} accepts at most ${most} images`) : undefined;
}

function mask({ call, abilities, model }: ImageCheck): ImageIssue | undefined {
  if (call.mask === undefined || abilities.masks) return undefined;
  const message = `${model} does not support masks; omit it and describe the change in the prompt`;
  return { param: 'mask', message, code: 'unsupported_parameter' };
}

function prompt({ call, abilities, model }: ImageCheck): ImageIssue | undefined {
  const param = placeOf(call, 'prompt');
  if (call.prompt.trim() === '') return invalid(param, 'must contain text that describes the image');
  const added = withStyle(call, abilities).prompt.length - call.prompt.length;
  const most = abilities.maxPromptLength - Math.max(0, added);
  const why = added > 0 ? ' beside the sentence for `style`' : '';
  return call.prompt.length > most ? invalid(param, `${model} accepts at most ${most} characters${why}`) : undefined;
}

function members({ config, abilities, model }: ImageCheck): ImageIssue[] {
  const known: readonly string[] = abilities.config;
  const message = known.length === 0 ? `${model} has no image settings` : `${model} supports only ${known.join(', ')}`;
  return Object.keys(config)
    .filter((name) => !known.includes(name))
    .map((name) => ({ param: `image_config.${name}`, message, code: 'unsupported_parameter' }));
}

function aspectRatio({ config: { aspect_ratio: ratio }, abilities: { sizes } }: ImageCheck): ImageIssue | undefined {
  if (ratio === undefined || sizes.kind !== 'shape' || sizes.aspectRatios.includes(ratio)) return undefined;
  return invalid('image_config.aspect_ratio', `must be one of ${sizes.aspectRatios.join(', ')}`);
}

function imageSize({
  config: { image_size: requested },
  abilities: { config, sizes },
}: ImageCheck): ImageIssue | undefined {
  if (requested === undefined || !config.includes('image_size')) return undefined;
  const why = sizes.kind === 'shape' ? wrongClass(requested, sizes) : wrongPixels(requested, sizes);
  return why === undefined ? undefined : invalid('image_config.image_size', why);
}

function wrongClass(requested: string, { classes }: ShapeSizes): string | undefined {
  if (Object.hasOwn(classes, requested)) return undefined;
  const known = Object.keys(classes);
  return known.length === 0 ? 'this model has only one size' : `must be one of ${known.join(', ')}`;
}

function wrongPixels(requested: string, sizes: PixelSizes): string | undefined {
  const pixels = dimensionsOf(requested);
  if (pixels === undefined) return 'must be WIDTHxHEIGHT, such as 1024x1024';
  if (sizes.kind === 'free') {
    const why = `must be at most ${sizes.maxSide} pixels per side and ${sizes.maxPixels} in total`;
    return isBeyond(pixels, sizes) ? why : undefined;
  }
  // Made from another size by cropping and scaling.
  return pixels.width * pixels.height > mostScaledPixels ? `must be at most ${mostScaledPixels} pixels` : undefined;
}

const isBeyond = ({ width, height }: Dimensions, { maxSide, maxPixels }: { maxSide: number; maxPixels: number }) =>
  Math.max(width, height) > maxSide || width * height > maxPixels;

/** The image endpoints have one limit for all models; chats have the model's. */
const mostOfEndpoints = 10;

function count({ call: { n, config }, abilities: { maxImages } }: ImageCheck): ImageIssue | undefined {
  const most = config?.n === undefined ? mostOfEndpoints : maxImages;
  if (Number.isSafeInteger(n) && n >= 1 && n <= most) return undefined;
  return invalid(config?.n === undefined ? 'n' : 'image_config.n', `must be a whole number from 1 to ${most}`);
}

function seed({ config: { seed: requested }, abilities: { maxSeed } }: ImageCheck): ImageIssue | undefined {
  if (requested === undefined || maxSeed === undefined || (requested >= 0 && requested <= maxSeed)) return undefined;
  return invalid('image_config.seed', `must be a whole number from 0 to ${maxSeed}`);
}

function size({ call: { size: requested } }: ImageCheck): ImageIssue | undefined {
  if (requested === undefined || requested === 'auto' || dimensionsOf(requested) !== undefined) return undefined;
  return invalid('size', 'must be auto or WIDTHxHEIGHT, such as 1024x1024');
}

function quality({ call: { quality: requested }, abilities: { qualities } }: ImageCheck): ImageIssue | undefined {
  if (requested === undefined || qualities === undefined || Object.hasOwn(qualities, requested)) return undefined;
  return invalid('quality', `must be one of ${Object.keys(qualities).join(', ')}`);
}

function background({ call, abilities: { transparency }, model }: ImageCheck): ImageIssue | undefined {
  if (call.background !== 'transparent') return undefined;
  if (call.outputFormat === 'jpeg') return invalid('background', 'transparent needs an output_format of png or webp');
  if (transparency) return undefined;
  return {
    param: 'background',
    message: `${model} does not support transparency; use opaque or auto`,
    code: 'unsupported_parameter',
  };
}

const invalid = (param: string, message: string): ImageIssue => ({ param, message, code: 'invalid_parameters' });

const unsupported = (param: string) => ({ param, code: 'unsupported_capability' }) as const;
