import type { Base64Slices, ImageType } from '@tallyport/dispatch';

/** An image whose type is known from its bytes. */
export interface TypedImage {
  readonly type: ImageType;
  readonly base64: Base64Slices;
}
