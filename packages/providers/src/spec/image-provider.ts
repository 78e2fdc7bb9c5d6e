import type { GatewayError, Offer } from '@tallyport/contracts';
import type { ChatMessage, ImagesUsage } from '@tallyport/wire';
import type { ImageLimits, Provider } from './provider.ts';
import type { UpstreamRequest } from './upstream-request.ts';
import type { ResponseHeaders } from '../faults/retry-after.ts';

export type ImageOperation = 'generate' | 'edit';
export type ImageFormat = 'png' | 'jpeg' | 'webp';
export type ImageStyle = 'vivid' | 'natural';

/**
 * An image from a client. Image data in calls, requests and answers may be a placeholder of `LongStrings`: adapters
 * copy it without reading it, and the sender replaces it with the bytes.
 */
export type InputImage =
  | { readonly mediaType: string; readonly base64: string }
  /** For vendors that fetch images themselves. */
  | { readonly url: string };

/** One image request as the client sent it, validated once. Adapters must not change it. */
export interface ImageCall {
  readonly operation: ImageOperation;
  readonly prompt: string;
  readonly n: number;
  /** The images to edit or combine; empty for `generate`. */
  readonly images: readonly InputImage[];
  /** Transparent where the first image may change. */
  readonly mask?: InputImage;
  /** From 1: how many partial images the client wants before each image. Vendors without them send the images alone. */
  readonly partialImages?: number;
  /** `image_config` of a chat, which is enforced strictly; its `n` equals `n` above. Absent at the image endpoints. */
  readonly config?: ImageConfig;
  /** `1024x1024` or `auto`. The nearest ratio the model makes is requested, and the result is cropped and scaled to this. */
  readonly size?: string;
  readonly quality?: string;
  /** How long a model with this setting plans an image; other models ignore it. */
  readonly complexity?: 'low' | 'medium' | 'high';
  readonly style?: ImageStyle;
  readonly background?: 'transparent' | 'opaque' | 'auto';
  readonly inputFidelity?: 'high' | 'low';
  readonly outputFormat?: ImageFormat;
  readonly outputCompression?: number;
  readonly user?: string;
  /**
   * The whole chat, including the last user message, for models that hold conversations; other models use `prompt` and
   * `images`. Its images are data URLs, or other URLs if `abilities().inputs` allows them.
   */
  readonly conversation?: readonly ChatMessage[];
}

/**
 * `image_config` as the client sent it, without null members. Which members and values are valid depends on the model.
 */
export interface ImageConfig {
  readonly aspect_ratio?: string;
  /** A class (`2K`) or pixels (`1024x1024`). */
  readonly image_size?: string;
  readonly n?: number;
  readonly seed?: number;
}

/** The pixel sizes a model accepts. */
export type PixelSizes =
  /** Only these sizes; any other request uses the nearest ratio, and the image is cropped and scaled. */
  | { readonly kind: 'fixed'; readonly sizes: readonly string[] }
  /** Any size within the limits; any other request is scaled until it fits, keeping its ratio. */
  | ({ readonly kind: 'free' } & FreeSizes)
  /** The output size follows the input, or the vendor decides. */
  | { readonly kind: 'none' };

export interface FreeSizes {
  readonly minSide: number;
  readonly maxSide: number;
  readonly multipleOf: number;
  readonly leastPixels: number;
  readonly maxPixels: number;
  /** Longer side divided by the shorter one. */
  readonly maxRatio: number;
}

/** For models whose size is requested as a ratio and a class instead of pixels. */
export interface ShapeSizes {
  readonly kind: 'shape';
  readonly aspectRatios: readonly string[];
  /**
   * The client's name of each class, and the vendor's; `1K` is about a megapixel. Empty if the model has only one size.
   */
  readonly classes: Readonly<Record<string, string>>;
}

/** Limits of input images: as for chats, and whether the vendor fetches URLs itself. */
export interface ImageInputs extends ImageLimits {
  readonly takes: 'url' | 'inline';
}

/** What one model at one provider supports. Requests are validated against it, and the models endpoint reports it. */
export interface ImageAbilities {
  readonly sizes: PixelSizes | ShapeSizes;
  /** Maximum images per call. A larger `n` takes several calls, see `imageCalls`. */
  readonly mostPerCall: number;
  /** The members of `image_config` this model family supports. */
  readonly config: readonly (keyof ImageConfig)[];
  /** The largest `n` of `image_config`. */
  readonly maxImages: number;
  /** The largest seed; `undefined` if the model has no seed. */
  readonly maxSeed?: number;
  /** The client's name of each quality, and the vendor's. If absent, `quality` is ignored. */
  readonly qualities?: Readonly<Record<string, string>>;
  /** True if `complexity` is sent. */
  readonly complexity?: true;
  /** True if the vendor has `style`. For others, a sentence in the prompt says it. */
  readonly styles?: true;
  readonly transparency: boolean;
  /** Formats the vendor makes on request; other formats are converted from its answer. */
  readonly outputFormats: readonly ImageFormat[];
  /** The longest prompt, in characters. */
  readonly maxPromptLength: number;
  /** Absent if the model does not accept images. */
  readonly inputs?: ImageInputs;
  /** True if the model only edits images and does not make them from text alone. */
  readonly editsOnly?: true;
  /** True if an edit may have a mask. */
  readonly masks?: true;
}

/** Everything a translation may depend on besides the bytes. */
export interface ImageContext {
  readonly call: ImageCall;
  readonly offer: Offer;
}

/** The location of an image in an answer. `mediaType` is the vendor's; the bytes take precedence. */
export type ImageSource =
  | { readonly base64: string; readonly mediaType?: string }
  /** To be downloaded, or a data URL. A placeholder stands for a data URL. */
  | { readonly url: string; readonly mediaType?: string };

export interface ImagePart {
  readonly source: ImageSource;
  readonly revisedPrompt?: string;
  /** Pixels as reported by the vendor. */
  readonly size?: string;
  /** Data the vendor requires back with the image in the next turn of a chat. */
  readonly extraContent?: Record<string, unknown>;
}

/** The result of a call: at least one image, or text as an answer to a chat. */
export interface ImageResult {
  readonly kind: 'made';
  readonly images: readonly ImagePart[];
  /** Images of this call that the vendor refused or failed to make. */
  readonly failures: readonly GatewayError[];
  /** Text beside the images, from models that return both. */
  readonly text?: string;
  /** Tokens if the vendor counts them, and cost if it reports it. */
  readonly usage?: ImagesUsage;
  /** What was made, in the vendor's terms. */
  readonly background?: string;
  readonly quality?: string;
  readonly outputFormat?: string;
}

/** What one event of a stream brings. */
export type ImageEvent =
  | {
      readonly kind: 'partial';
      /** From 0. */
      readonly index: number;
      readonly made: ImageResult;
    }
  | { readonly kind: 'completed'; readonly made: ImageResult };

/** A job in progress. The caller polls it; each reply is passed to `response` again. */
export interface ImageJob {
  readonly kind: 'waiting';
  readonly next: UpstreamRequest;
  readonly afterMs: number;
}

/**
 * A vendor's image API as pure functions, without I/O, clock or randomness.
 *
 * The sandbox providers use OpenAI's images format: `POST /<id>/v1/images/generations` with `model`, `prompt`, `n`,
 * `size`, `quality`, `background`, `output_format`, `output_compression`, `user` and `POST /<id>/v1/images/edits` with
 * `images: [{ image_url }]` (data URLs) and `input_fidelity` in addition. Both are JSON, answered with `data: [{
 * b64_json }]` and `usage`. Their model is `sandbox-image`.
 */
export interface ImageProvider extends Provider {
  /**
   * Hosts that results may be downloaded from, in addition to the target's own origin. `*.example.com` matches every
   * subdomain of `example.com`. Addresses inside a private network are always forbidden for these hosts.
   */
  readonly resultHosts: readonly string[];
  abilities(offer: Offer): ImageAbilities;
  /**
   * One call for at most `mostPerCall` images. Throws the first issue of `validateImageCall`, so that no member is ignored
   * silently.
   */
  request(call: ImageCall, offer: Offer): UpstreamRequest;
  /**
   * Reads an answer with a success status. Throws GatewayError: `content_policy_violation` (domain `policy`, never
   * retried elsewhere) if every image was refused, a fault of the provider if there is no image for another reason.
   */
  response(body: unknown, context: ImageContext): ImageResult | ImageJob;
  /**
   * Reads one server-sent event of a call with `partialImages`; `undefined` if it has no image. Throws like `response`.
   * Absent if the vendor does not stream images.
   */
  event?(data: unknown, context: ImageContext): ImageEvent | undefined;
  /** Translates the vendor's error, with fault domain and retry-after. `body` is parsed JSON or text. */
  error(status: number, headers: ResponseHeaders, body: unknown): GatewayError;
}
