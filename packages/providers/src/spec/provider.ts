import type { GatewayError, Offer } from '@tallyport/contracts';
import type {
  ChatChunk,
  ChatCompletion,
  ChatRequest,
  Frame,
  NativeDialect,
  NativeRequest,
  Usage,
} from '@tallyport/wire';
import type { CacheMarking, PromptReuse } from '../cache-marks/cache-marking.ts';
import type { BatchFormat } from './batch-format.ts';
import type { CallFormats } from './call-formats.ts';
import type { CallSignatures, PlacedName } from './call-signatures.ts';
import type { KeyCheck } from './key-check.ts';
import type { UpstreamRequest } from './upstream-request.ts';
import type { TokenCounting } from '../counting/token-counting.ts';

/** How a provider is authenticated. */
export type Auth =
  /** `optional`: self-hosted servers, with or without a key. Without a key they need a configured base URL. */
  | { kind: 'bearer'; optional?: true }
  | { kind: 'header'; name: string }
  /** Requests are signed with the account's access key, unless an API key is configured. */
  | { kind: 'aws-sigv4'; service: string; keyVariable: string }
  /** Short-lived tokens, fetched for a service account. One of these variables holds its key file. */
  | { kind: 'google-service-account'; scope: string; variables: readonly string[] }
  | { kind: 'none' };

/** A setting besides the key and the base URL, under its vendor's own name. */
export interface ProviderSetting {
  readonly name: string;
  readonly description: string;
  readonly example?: string;
  readonly secret?: true;
  /** The value is the path of a file; the setting is the text in that file. */
  readonly file?: true;
}

/** The configuration of a provider. */
export interface Configured {
  /** `<STEM>_BASE_URL`. */
  readonly baseUrl: string | undefined;
  /** The value of one of the provider's settings. */
  setting(name: string): string | undefined;
}

/** The address requests are sent to. */
export interface Address {
  readonly baseUrl: string;
  /** Rewrites a request's path. The result follows the base URL; without this function the path is unchanged. */
  path?(own: string, offer: Offer): string;
}

/** What must be configured before the provider can be called, for the error message. */
export interface Missing {
  readonly missing: string;
}

/** One chat as the client sent it, validated once. Adapters must not change it, because a retry uses it again. */
export interface ChatCall {
  request: ChatRequest;
  stream: boolean;
  /** Signatures remembered from earlier answers, for clients that did not send them back. */
  signatures?: CallSignatures;
}

/** For vendors that want back, unchanged, more of their answers than OpenAI's clients keep. */
export interface CallSignatureRules {
  /** What this request should have and lacks, in the order of the messages. Names are usually ids of calls. */
  missingIn(request: ChatRequest, offer: Offer): readonly PlacedName[];
  /** True if the thinking of this call's answer is remembered. The answer is then never forwarded unparsed. */
  fromThinking?(call: ChatCall, offer: Offer): boolean;
}

/**
 * Limits on the images of one request. A request beyond them is refused before it is sent, and the error names the
 * message.
 */
export interface ImageLimits {
  readonly count: number;
  /** Of one image, decoded. */
  readonly bytes: number;
  /** Of all images together, decoded. */
  readonly totalBytes: number;
  readonly mediaTypes: readonly string[];
}

/** Everything a translation may depend on besides the bytes: no clock, no randomness, no I/O. */
export interface TranslationContext {
  call: ChatCall;
  offer: Offer;
  /** For ids the vendor left out. */
  completionId: string;
  /** Unix seconds, for `created` if the vendor left it out. */
  created: number;
  /**
   * Remembers what the vendor wants back of this answer, as soon as it is known, under a name that `missingIn` returns
   * once the answer has become a message.
   */
  keepSignature?: (name: string, signature: string) => void;
}

/** Translates one stream. It keeps its own state and performs no I/O. */
export interface StreamTranslator {
  /**
   * Returns chunks in the canonical form. Throws a GatewayError if the frame reports a fault. An unreadable frame
   * returns no chunks and is counted; too many of them are a fault.
   */
  frame(frame: Frame): ChatChunk[];
  /**
   * Called after the upstream's last byte. Returns chunks held back until then, such as the usage. Throws
   * `stream_truncated` if the vendor had not finished.
   */
  end(): ChatChunk[];
  /**
   * True once every choice has its finish reason or the vendor sent its final frame. A close after that is a clean end.
   */
  finished(): boolean;
  /**
   * True once the vendor's final frame (`[DONE]`) was read. Nothing relevant follows, so the connection may be
   * released.
   */
  done(): boolean;
  /** The latest usage the vendor reported, for streams that are cut or cancelled. */
  usage(): Usage | undefined;
  /** The service tier that the vendor has named before its usage, `default` for the standard one. */
  tier?(): string | undefined;
  /** The number of unreadable frames that were skipped. */
  skipped(): number;
}

/**
 * The vendor whose chat format a provider uses. Unknown members are passed on only within the canonical dialect,
 * `openai`.
 */
export type VendorDialect = 'anthropic' | 'bedrock' | 'google' | 'openai';

/** A provider's identity and address, the same for chats and images. */
export interface Provider {
  readonly id: string;
  /** The vendor's address, used unless another one is configured. */
  readonly baseUrl: string;
  /**
   * True if the vendor's own SDK adds the version to its base URL. It is then added to a configured URL that lacks it.
   */
  readonly sdkAddsVersion?: true;
  /** The prefix of the environment variables: `OPENAI` for `OPENAI_API_KEY` and `OPENAI_BASE_URL`. */
  readonly keyVariable: string;
  readonly auth: Auth;
  /** Absent if the vendor has no such request, or answers it without a key. */
  readonly keyCheck?: KeyCheck;
  readonly settings?: readonly ProviderSetting[];
  /** For vendors whose address depends on the configuration. Defaults to the configured base URL, else `baseUrl`. */
  address?(configured: Configured): Address | Missing;
}

/** A request that is passed on unchanged, apart from its model and its limit. */
export interface NativeCall extends NativeRequest {
  stream: boolean;
  /** The most tokens that the offer writes, if that is known. A higher limit in the request is lowered to it. */
  maxOutput: number | undefined;
}

/**
 * How a provider takes requests of an API that it has itself: what clients send and receive is passed on as it is. The
 * answer is only read, for its usage, its faults and its end.
 */
export interface NativeFormat {
  /** False for a model that the provider offers only in another format. Absent: every model has this one. */
  serves?(offer: Offer): boolean;
  /** True if the request uses a feature that this vendor's edition of the API lacks; it is never passed on then. */
  lacks?(request: NativeRequest): boolean;
  /**
   * True if the vendor's error says that only this form of the request is refused, or its thinking. The request is
   * translated then, if a chat can express it, and sent without thinking if that is refused again.
   */
  isRefused?(error: GatewayError): boolean;
  /**
   * False if the model is known to refuse the request as it is, for example with a thinking mode of another generation.
   * It is translated then, if a chat can express it.
   */
  fits(request: NativeRequest, offer: Offer): boolean;
  /** The request with marks for the prompt cache, unless it has its own; absent if the API has none. */
  marked?(request: NativeRequest, marking: CacheMarking, reuse: PromptReuse): NativeRequest;
  request(call: NativeCall, offer: Offer): Omit<UpstreamRequest, 'body'> & { body: Uint8Array };
  /** The path of the model's name in a whole answer. */
  readonly answerModel: readonly string[];
  /** The same in an event of a stream; `undefined` for events without it. */
  eventModel(event: string | undefined): readonly string[] | undefined;
  /** The names of events that hold nothing of the answer yet: openings and keep-alives. Any other name commits the attempt. */
  readonly openings: ReadonlySet<string>;
  /** The event without which clients take a finished stream for a broken one; added if the vendor closes before it. */
  readonly ending?: Pick<Frame, 'event' | 'data'>;
  /** How answers are read, if the provider's own functions read another format. */
  readonly reading?: Pick<ChatProvider, 'response' | 'stream'>;
  /** The event of the API in a frame of the vendor's framing, which may wrap it. */
  unwrap?(frame: Frame): Frame;
  /** Counts the tokens of its requests; absent if the vendor has no endpoint for that. */
  readonly counting?: TokenCounting;
}

/**
 * A vendor's chat API as pure functions. `model` in the results is the vendor's own name; the service that answers the
 * client sets `<provider>/<model>`.
 */
export interface ChatProvider extends Provider, CallFormats {
  readonly dialect: VendorDialect;
  /** False for a vendor that serves only calls: no plan of a chat has it. */
  readonly hasChats?: false;
  /** Members of a request beyond OpenAI's that this vendor knows. */
  readonly members?: readonly string[];
  readonly framing: 'sse' | 'aws-event-stream';
  /**
   * True promises: a frame that differs from an earlier one only inside its text (content or thinking) results in a
   * chunk that differs only there too, and changes no state. Frames like that may be forwarded without being parsed.
   */
  readonly textDeltasAreIndependent: boolean;
  /** `inline`: the vendor fetches no URLs, so image URLs must be replaced with data URLs before `request`. */
  readonly images: 'url' | 'inline';
  readonly imageLimits: ImageLimits;
  /** Maximum choices per call. A larger `n` takes several calls. */
  readonly maxChoices: number;
  /** True for a call that has one choice only, also if `maxChoices` is larger. */
  hasOneChoice?(call: ChatCall, offer: Offer): boolean;
  /** The same provider with another of the vendor's APIs, to be asked after this error; `undefined` if it does not help. */
  instead?(error: GatewayError): ChatProvider | undefined;
  readonly callSignatures?: CallSignatureRules;
  /** How prompts of this model are marked for its cache; absent, or `undefined`, if nothing is cached by marks. */
  cacheMarking?(offer: Offer): CacheMarking | undefined;
  /** The header in which answers name their service tier, if their usage does not. */
  readonly tierHeader?: string;
  /** Absent if the vendor takes no batches. */
  readonly batches?: BatchFormat;
  /** Counts the tokens of its requests; absent if the vendor has no endpoint for that. */
  readonly counting?: TokenCounting;
  /** The APIs of clients that this vendor has as well. */
  readonly native?: Readonly<Partial<Record<NativeDialect, NativeFormat>>>;
  /**
   * The first member of the request that this provider cannot honour with this model and whose loss would change the
   * answer. Another offer should be used; `request` throws `unsupported_capability` for it.
   */
  unsupported?(call: ChatCall, offer: Offer): string | undefined;
  request(call: ChatCall, offer: Offer): UpstreamRequest;
  response(body: unknown, context: TranslationContext): ChatCompletion;
  /** Creates a translator with fresh state for one call. */
  stream(context: TranslationContext): StreamTranslator;
  /** Translates the vendor's error, with fault domain and retry-after. `body` is parsed JSON or text. */
  error(status: number, headers: Readonly<Record<string, string | string[] | undefined>>, body: unknown): GatewayError;
}
