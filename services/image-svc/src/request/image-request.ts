import type { ImageCall } from '@switchyard/providers';
import type { LongStrings } from '@switchyard/wire';

/** What a client asks for, validated once. */
export interface ImageRequest {
  model: string;
  call: ImageCall;
  /** The images that were given, which the call has placeholders of. */
  strings: LongStrings;
  /** How the client knows the images it gave. */
  imagePaths: readonly string[];
}
