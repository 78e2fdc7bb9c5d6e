import type { ImageAbilities, ImageCall } from '../image-provider.ts';
import { allowedPixels, nearestShape, type Dimensions, dimensionsOf, type Shape } from './sizes.ts';

/** The pixels to ask a model for, from `image_config.image_size` or `size`; `undefined` where nothing was wished. */
export function pixelsFor({ config, size }: ImageCall, sizes: ImageAbilities['sizes']): Dimensions | undefined {
  const wished = dimensionsOf(config?.image_size ?? size ?? '');
  return wished === undefined || sizes.kind === 'shape' ? undefined : allowedPixels(wished, sizes);
}

/** `1024x1024`, or what else the vendor writes between the sides. */
export function sizeMember(call: ImageCall, sizes: ImageAbilities['sizes'], between = 'x'): { size?: string } {
  const pixels = pixelsFor(call, sizes);
  return pixels === undefined ? {} : { size: `${pixels.width}${between}${pixels.height}` };
}

/** The ratio and class to ask a model for, in the client's words; nothing of a model that is asked in pixels. */
export function shapeFor({ config, size }: ImageCall, sizes: ImageAbilities['sizes']): Shape {
  if (sizes.kind !== 'shape') return {};
  const wished = dimensionsOf(size ?? '');
  const { aspect_ratio: aspectRatio, image_size: imageSize } = config ?? {};
  return {
    ...(wished && nearestShape(wished, sizes)),
    ...(aspectRatio !== undefined && { aspectRatio }),
    ...(imageSize !== undefined && { imageSize }),
  };
}
