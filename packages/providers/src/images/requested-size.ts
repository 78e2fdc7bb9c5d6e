import type { ImageAbilities, ImageCall } from '../spec/image-provider.ts';
import { allowedPixels, nearestShape, type Dimensions, dimensionsOf, type Shape } from './sizes.ts';

/**
 * The exact size a client requests in `image_config.image_size` or `size`; `undefined` for `auto`, a class or nothing.
 */
export const requestedPixels = ({ config, size }: Pick<ImageCall, 'config' | 'size'>): Dimensions | undefined =>
  dimensionsOf(config?.image_size ?? size ?? '');

/** The pixels to request from a model; `undefined` if the client requests none or the model uses shapes. */
export function pixelsFor(call: ImageCall, sizes: ImageAbilities['sizes']): Dimensions | undefined {
  const requested = requestedPixels(call);
  return requested === undefined || sizes.kind === 'shape' ? undefined : allowedPixels(requested, sizes);
}

/** The `size` member, such as `1024x1024`, with the vendor's separator between the sides. */
export function sizeMember(call: ImageCall, sizes: ImageAbilities['sizes'], between = 'x'): { size?: string } {
  const pixels = pixelsFor(call, sizes);
  return pixels === undefined ? {} : { size: `${pixels.width}${between}${pixels.height}` };
}

/** The ratio and class to request from a model, in the client's names; empty for a model with pixel sizes. */
export function shapeFor({ config, size }: ImageCall, sizes: ImageAbilities['sizes']): Shape {
  if (sizes.kind !== 'shape') return {};
  const requested = dimensionsOf(size ?? '');
  const { aspect_ratio: aspectRatio, image_size: imageSize } = config ?? {};
  return {
    ...(requested && nearestShape(requested, sizes)),
    ...(aspectRatio !== undefined && { aspectRatio }),
    ...(imageSize !== undefined && { imageSize }),
  };
}
