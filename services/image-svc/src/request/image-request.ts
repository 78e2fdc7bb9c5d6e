import type { ImageCall } from '@tallyport/providers';
import type { AskedRouting } from '@tallyport/serving';
import type { LongStrings } from '@tallyport/wire';

/** A validated image request. */
export interface ImageRequest extends Pick<AskedRouting, 'standIns' | 'preferences'> {
  model: string;
  /** The client wants events: partial images, if it asked for them, and the finished ones. */
  stream: boolean;
  call: ImageCall;
  /** The members that name the end user. */
  endUser: { user?: unknown; safety_identifier?: unknown };
  /** The input images, for which the call has placeholders. */
  strings: LongStrings;
  /** The client's names of the input images. */
  imagePaths: readonly string[];
}
