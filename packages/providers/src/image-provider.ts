import type { GatewayError, Offer } from '@switchyard/contracts';
import type { ChatMessage, ImagesUsage } from '@switchyard/wire';
import type { CallSignatures, ImageLimits, Provider, UpstreamRequest } from './provider.ts';
import type { ResponseHeaders } from './faults/retry-after.ts';

export type ImageOperation = 'generate' | 'edit';
export type ImageFormat = 'png' | 'jpeg' | 'webp';

/**
 * An image a client gave. Wherever images are told as text (here, in requests and in answers), the text may be a
 * placeholder of `LongStrings`: adapters put it where it belongs, unread, and whoever sends or answers splices the bytes in.
 */
export type InputImage =
  | { readonly mediaType: string; readonly base64: string }
  /** For vendors that fetch images themselves. */
  | { readonly url: string };

/** One request for images as the client asked it, validated once. Adapters read it and never change it. */
export interface ImageCall {
  readonly operation: ImageOperation;
  readonly prompt: string;
  readonly n: number;
  /** Those to be changed or joined; empty for `generate`. */
  readonly images: readonly InputImage[];
  /** `image_config` of a chat, held to strictly; its `n` is `n` above too. Absent at the image endpoints. */
  readonly config?: ImageConfig;
  /** `1024x1024` or `auto`. Like `quality` and `style` a wish: the nearest that the model has is taken. */
  readonly size?: string;
  readonly quality?: string;
  readonly style?: string;
  readonly background?: 'transparent' | 'opaque' | 'auto';
  readonly inputFidelity?: 'high' | 'low';
  readonly outputFormat?: ImageFormat;
  readonly outputCompression?: number;
  readonly user?: string;
  /**
   * A chat with all its messages, the last of the user's included, for models that speak; the others take `prompt` and
   * `images`. Images in it are data URLs, or addresses as `abilities().inputs` allows.
   */
  readonly conversation?: readonly ChatMessage[];
  /** What was kept of earlier answers in the conversation, as for chats. */
  readonly signatures?: CallSignatures;
}

/** `image_config` as clients write it, without what they left open. Which members and values there are is the model's. */
export interface ImageConfig {
  readonly aspect_ratio?: string;
  /** A class (`2K`) or pixels (`1024x1024`). */
  readonly image_size?: string;
  readonly n?: number;
  readonly seed?: number;
}

/** Pixels a model can be asked for. */
export type PixelSizes =
  /** Nothing else: another one becomes the nearest by ratio. */
  | { readonly kind: 'fixed'; readonly sizes: readonly string[] }
  /** Any that fits: another one is scaled until it does, its ratio kept. */
  | ({ readonly kind: 'free' } & FreeSizes)
  /** Output follows the input, or the vendor decides. */
  | { readonly kind: 'none' };

export interface FreeSizes {
  readonly leastSide: number;
  readonly mostSide: number;
  readonly multipleOf: number;
  readonly leastPixels: number;
  readonly mostPixels: number;
  /** Of the longer side to the shorter one. */
  readonly mostRatio: number;
}

/** A model's ways to be told the form of an image, by ratio and class instead of pixels. */
export interface ShapeSizes {
  readonly kind: 'shape';
  readonly aspectRatios: readonly string[];
  /** The client's word for each class, and the vendor's; `1K` is about a megapixel. Empty where there is one size only. */
  readonly classes: Readonly<Record<string, string>>;
}

/** The inputs of one call: as for chats, and whether the vendor fetches addresses itself. */
export interface ImageInputs extends ImageLimits {
  readonly takes: 'url' | 'inline';
}

/** What one model at one provider can be asked for, as data: limits are judged by it, and answers name it. */
export interface ImageAbilities {
  readonly sizes: PixelSizes | ShapeSizes;
  /** Images one call can bring; a larger `n` takes several calls, see `imageCalls`. */
  readonly mostPerCall: number;
  /** The members of `image_config` this family has. */
  readonly config: readonly (keyof ImageConfig)[];
  /** The largest `n` of `image_config`. */
  readonly mostWanted: number;
  /** Seeds from 0 to here; `undefined` where there is no seed. */
  readonly mostSeed?: number;
  /** The client's word for each quality and the vendor's; absent where the wish is ignored. */
  readonly qualities?: Readonly<Record<string, string>>;
  readonly transparency: boolean;
  /** Formats the vendor makes when asked; in all others the answer has to be converted. */
  readonly outputFormats: readonly ImageFormat[];
  /** The longest prompt, in characters. */
  readonly mostPrompt: number;
  /** Absent where the model takes no images. */
  readonly inputs?: ImageInputs;
  /** True where it only changes images and makes none from words alone. */
  readonly onlyEdits?: true;
}

/** What translation may know besides the bytes. */
export interface ImageContext {
  readonly call: ImageCall;
  readonly offer: Offer;
}

/** Where an image of an answer is. `mediaType` is what the vendor says: the bytes have the last word. */
export type ImageSource =
  | { readonly base64: string; readonly mediaType?: string }
  /** To be downloaded, or a data URL. It may be a placeholder, then it is a data URL. */
  | { readonly url: string; readonly mediaType?: string };

export interface ImagePart {
  readonly source: ImageSource;
  readonly revisedPrompt?: string;
  /** Pixels as the vendor tells them. */
  readonly size?: string;
  /** What the vendor adds and wants back with the image in the next turn of a chat. */
  readonly extraContent?: Record<string, unknown>;
}

/** What came of a call: at least one image, unless a chat was answered in words. */
export interface ImagesMade {
  readonly kind: 'made';
  readonly images: readonly ImagePart[];
  /** Images of this call that the vendor refused or failed to make. */
  readonly failures: readonly GatewayError[];
  /** What a model that speaks said beside its images. */
  readonly text?: string;
  /** Tokens, where the vendor counts them, and cost, where it tells it. */
  readonly usage?: ImagesUsage;
  /** What was made, in the vendor's words. */
  readonly background?: string;
  readonly quality?: string;
  readonly outputFormat?: string;
}

/** A job that is not done: ask again in a while. Its answer goes to `response` like the first. */
export interface ImageJob {
  readonly kind: 'waiting';
  readonly next: UpstreamRequest;
  readonly afterMs: number;
}

/**
 * A vendor's image API as pure functions, without I/O, clock and chance.
 *
 * The sandbox providers speak OpenAI's images format: `POST /<id>/v1/images/generations` with `model`, `prompt`, `n`,
 * `size`, `quality`, `background`, `output_format`, `output_compression`, `user` and `POST /<id>/v1/images/edits` with
 * `images: [{ image_url }]` (data URLs) and `input_fidelity` besides, both JSON, answered with `data: [{ b64_json }]` and
 * `usage`. Their model is `sandbox-image`.
 */
export interface ImageProvider extends Provider {
  /**
   * Hosts that results are downloaded from, besides the target's own origin: `*.example.com` is every name below
   * `example.com`. Addresses inside a private network stay forbidden there.
   */
  readonly resultHosts: readonly string[];
  abilities(offer: Offer): ImageAbilities;
  /** One call for at most `mostPerCall` images. Throws the first issue of `judgeImages`, so that nothing is lost silently. */
  request(call: ImageCall, offer: Offer): UpstreamRequest;
  /**
   * Reads an answer of a good status. Throws GatewayError: `content_policy_violation` (domain `policy`, never tried
   * elsewhere) where every image was refused, a fault of the provider where there is nothing to be had.
   */
  response(body: unknown, context: ImageContext): ImagesMade | ImageJob;
  /** The vendor's error as ours, with fault domain and retry-after. `body` is parsed JSON or text. */
  error(status: number, headers: ResponseHeaders, body: unknown): GatewayError;
}
