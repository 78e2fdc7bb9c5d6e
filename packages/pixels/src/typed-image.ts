import type { Base64Slices } from '@tallyport/dispatch';
import type { ImageType } from '@tallyport/wire';

/** An image whose type is known from its bytes. */
export interface TypedImage {
  readonly type: ImageType;
  readonly base64: Base64Slices;
}
