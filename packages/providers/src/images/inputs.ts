import { dataUrl } from '../conversation/data-url.ts';
import type { ImageInputs, InputImage } from '../image-provider.ts';

const megabyte = 1024 * 1024;

const usual: ImageInputs = {
  takes: 'url',
  count: 16,
  bytes: 20 * megabyte,
  totalBytes: 50 * megabyte,
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
};

/** Limits of a family's inputs, where they differ from the usual. */
export const inputsOf = (limits: Partial<ImageInputs>): ImageInputs => ({ ...usual, ...limits });

/** An image as one address, which every vendor but those with parts of their own takes. */
export const imageUrl = (image: InputImage): string =>
  'url' in image ? image.url : dataUrl({ mediaType: image.mediaType, data: image.base64 });
