import { dataUrl } from '../conversation/data-url.ts';
import type { ImageInputs, InputImage } from '../spec/image-provider.ts';

const megabyte = 1024 * 1024;

const usual: ImageInputs = {
  takes: 'url',
  count: 16,
  bytes: 20 * megabyte,
  totalBytes: 50 * megabyte,
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
};

/** The limits of a family's inputs, with defaults. */
export const inputsOf = (limits: Partial<ImageInputs>): ImageInputs => ({ ...usual, ...limits });

/** An image as one URL, which most vendors accept. */
export const imageUrl = (image: InputImage): string =>
  'url' in image ? image.url : dataUrl({ mediaType: image.mediaType, data: image.base64 });
