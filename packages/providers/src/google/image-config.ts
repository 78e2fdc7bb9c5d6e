import { GatewayError } from '@tallyport/contracts';
import type { ChatRequest, GeminiGenerationConfig } from '@tallyport/wire';
import type { ImageOutput } from './models.ts';

/** The output settings for an image model. Throws for members and values this model family does not support. */
export function imageOutputOf(
  { image_config: config, modalities }: ChatRequest,
  { aspectRatios, sizes }: ImageOutput,
): Pick<GeminiGenerationConfig, 'responseModalities' | 'imageConfig'> {
  const { aspect_ratio: ratio, image_size: size, ...others } = config ?? {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(unknown, 'this model supports only aspect_ratio and image_size');
  const imageConfig = {
    ...(isSet(ratio) && { aspectRatio: aspectRatioOf(ratio, aspectRatios) }),
    ...(isSet(size) && { imageSize: sizeOf(size, sizes) }),
  };
  const only = modalities?.length === 1 && modalities[0] === 'image';
  return {
    responseModalities: only ? ['IMAGE'] : ['TEXT', 'IMAGE'],
    ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
  };
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function aspectRatioOf(ratio: unknown, allowed: readonly string[]): string {
  if (typeof ratio === 'string' && allowed.includes(ratio)) return ratio;
  throw wrong('aspect_ratio', `must be one of ${allowed.join(', ')}`);
}

function sizeOf(size: unknown, sizes: ImageOutput['sizes']): string {
  const found = typeof size === 'string' && Object.hasOwn(sizes, size) ? sizes[size] : undefined;
  if (found === undefined) throw wrong('image_size', known(sizes));
  return found;
}

const known = (sizes: ImageOutput['sizes']): string =>
  Object.keys(sizes).length === 0 ? 'this model has only one size' : `must be one of ${Object.keys(sizes).join(', ')}`;

const wrong = (member: string, why: string): GatewayError =>
  new GatewayError('invalid_parameters', `image_config.${member}: ${why}.`, { param: `image_config.${member}` });
