import type { GatewayError, Offer } from '@tallyport/contracts';
import type { ImageCall } from '@tallyport/providers';
import type { ImagesUsage, ImageType, LongStrings } from '@tallyport/wire';
import type { AttemptRecord, RequestOutcome } from '../attempts/outcome.ts';
import type { PlannedJob } from '../attempts/run.ts';

/** One logical request for images, planned and ready to be tried. */
export interface ImageTask extends PlannedJob {
  call: ImageCall;
  /** What the placeholders in the call's texts stand for; absent if there are none. */
  strings?: LongStrings;
  /** The clients' names of the call's images, for errors. Default: `images[0].image_url` and so on. */
  imagePaths?: readonly string[];
  /** Called for every partial image, if the call wants them and the provider sends them. */
  onPartial?(partial: PartialImage): void;
  /** Called exactly once, when the request has ended. */
  onOutcome?(outcome: ImageOutcome): void;
}

/** A delivered image: its type as detected from its bytes, and its base64 text in slices, which need not be joined. */
export interface MadeImage {
  readonly type: ImageType;
  readonly base64: readonly Buffer[];
  /** The decoded length. */
  readonly bytes: number;
  readonly revisedPrompt?: string;
  /** Pixels, as the vendor reports them. */
  readonly size?: string;
  /** Extra data of the vendor, which expects it back with the image in the next turn of a chat. */
  readonly extraContent?: Record<string, unknown>;
}

/** An image that is not finished yet. */
export interface PartialImage {
  /** From 0. */
  readonly index: number;
  readonly image: MadeImage;
  readonly background?: string;
  readonly quality?: string;
  readonly offer: Offer;
  /** How many attempts the request has taken so far. */
  readonly attempts: number;
}

/** The result of a task: at least one image, unless a chat was answered in text. */
export interface ServedImages {
  readonly images: readonly MadeImage[];
  /** One error for each of the `n` images that was not made. */
  readonly failures: readonly GatewayError[];
  /** Text beside the images, from a model that also writes. */
  readonly text?: string;
  /** Tokens, if the vendor counts them. */
  readonly usage?: ImagesUsage;
  /** USD: as reported by the vendor, or else by the prices of the catalogue. */
  readonly cost?: number;
  readonly background?: string;
  readonly quality?: string;
  readonly offer: Offer;
  readonly routing: readonly AttemptRecord[];
}

/** How a request for images ended. */
export interface ImageOutcome extends RequestOutcome {
  images: readonly Pick<MadeImage, 'bytes' | 'size' | 'type'>[];
  /** Images not delivered because the client left while they were made; usage and cost are estimates for them. */
  imagesOwed?: number | undefined;
  /** A provider that failed may have made images, so another model must not be asked for them. */
  isUnclear: boolean;
  usage: ImagesUsage | undefined;
  /** USD. */
  cost: number | undefined;
}

export interface ImageDispatch {
  /**
   * Resolves with the first successful answer. Throws GatewayError: the caller's fault as the provider reported it, a
   * refusal, or that all failed. Images that were paid for but cannot be fetched are not requested again.
   */
  make(task: ImageTask): Promise<ServedImages>;
  /** Closes every upstream connection; requests still in progress fail. */
  close(): Promise<void>;
}
