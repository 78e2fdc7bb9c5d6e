import type { GatewayError, Offer } from '@switchyard/contracts';
import type { ImageCall } from '@switchyard/providers';
import type { ImagesUsage, LongStrings } from '@switchyard/wire';
import type { ImageType } from '../inline/image-type.ts';
import type { AttemptRecord, RequestOutcome } from '../attempts/outcome.ts';
import type { PlannedJob } from '../attempts/run.ts';

/** One logical request for images, planned and ready to be tried. */
export interface ImageTask extends PlannedJob {
  call: ImageCall;
  /** What placeholders in the call's texts stand for; absent when there are none. */
  strings?: LongStrings;
  /** How clients know the images of the call, for errors: `images[0].image_url` and so on when absent. */
  imagePaths?: readonly string[];
  /** Called once, when the request is over, however it ended. */
  onOutcome?(outcome: ImageOutcome): void;
}

/** An image as it came: its type by its bytes, and its base64 text in slices, which an answer need not join. */
export interface MadeImage {
  readonly type: ImageType;
  readonly base64: readonly Buffer[];
  /** Decoded. */
  readonly bytes: number;
  readonly revisedPrompt?: string;
  /** Pixels, as the vendor tells them. */
  readonly size?: string;
  /** What the vendor adds and wants back with the image in the next turn of a chat. */
  readonly extraContent?: Record<string, unknown>;
}

/** What came of a task: at least one image, unless a chat was answered in words. */
export interface ServedImages {
  readonly images: readonly MadeImage[];
  /** What of `n` did not come, and why. */
  readonly failures: readonly GatewayError[];
  /** What a model that speaks said beside its images. */
  readonly text?: string;
  /** Tokens, where the vendor counts them. */
  readonly usage?: ImagesUsage;
  /** USD: as the vendor tells it, else by the catalogue's prices. */
  readonly cost?: number;
  readonly background?: string;
  readonly quality?: string;
  readonly offer: Offer;
  readonly routing: readonly AttemptRecord[];
}

/** What a request for images came to. */
export interface ImageOutcome extends RequestOutcome {
  images: readonly Pick<MadeImage, 'bytes' | 'size' | 'type'>[];
  usage: ImagesUsage | undefined;
  /** USD. */
  cost: number | undefined;
}

export interface ImageDispatch {
  /**
   * Resolves with the first provider's images that are good. Throws GatewayError: the caller's fault as the provider reported
   * it, a refusal, or all failed. Nothing that was paid for is asked for again because its result could not be had.
   */
  make(task: ImageTask): Promise<ServedImages>;
  /** Closes every upstream connection; what still runs fails. */
  close(): Promise<void>;
}
