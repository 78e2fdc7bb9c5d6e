import type { GatewayError, Offer } from '@switchyard/contracts';
import type { ChatChunk, ChatCompletion, ChatRequest, Frame, Usage } from '@switchyard/wire';

/** How a provider wants its key. */
export type Auth =
  /** `optional`: servers people run themselves, with or without a key. Without one they need a configured address. */
  | { kind: 'bearer'; optional?: true }
  | { kind: 'header'; name: string }
  /** Requests are signed with an account's access key, unless there is a key to be sent as it is. */
  | { kind: 'aws-sigv4'; service: string; keyVariable: string }
  /** Short-lived tokens, fetched for a service account whose key file one of these variables holds. */
  | { kind: 'google-service-account'; scope: string; variables: readonly string[] }
  | { kind: 'none' };

/** A variable a provider reads besides its key and base URL, by its vendor's own name. */
export interface ProviderSetting {
  readonly name: string;
  readonly description: string;
  readonly example?: string;
  readonly secret?: true;
  /** Its value is the path of a file, and what counts is the text in it. */
  readonly file?: true;
}

/** What is configured for a provider. */
export interface Configured {
  /** `<STEM>_BASE_URL`. */
  readonly baseUrl: string | undefined;
  /** The value of one of its settings. */
  setting(name: string): string | undefined;
}

/** Where requests go. */
export interface Address {
  readonly baseUrl: string;
  /** What follows the base URL, for a request's own path; that itself where nothing is told. */
  path?(own: string, offer: Offer): string;
}

/** What has to be set before a provider can be called. */
export interface Missing {
  readonly missing: string;
}

/** One chat as the client asked it, validated once. Adapters read it and never change it: it runs again on retry. */
export interface ChatCall {
  request: ChatRequest;
  stream: boolean;
  /** What was kept of earlier answers, for clients that did not send it back. */
  signatures?: CallSignatures;
}

/** By tool call id: what a vendor gave with the call and wants back with it, unchanged. */
export type CallSignatures = ReadonlyMap<string, string>;

/** For vendors that refuse tool calls that lack their signature. */
export interface CallSignatureRules {
  /** The ids of the calls in this request whose signature the client left out; empty where none is needed. */
  missingIn(request: ChatRequest): readonly string[];
  /** True where it is the thinking that is kept: of answers that may call tools no text is forwarded unread. */
  readonly fromThinking?: boolean;
}

/** The images of one request. What lies beyond is refused before the vendor sees it, naming the message. */
export interface ImageLimits {
  readonly count: number;
  /** One image, decoded. */
  readonly bytes: number;
  /** All of them together, decoded. */
  readonly totalBytes: number;
  readonly mediaTypes: readonly string[];
}

/** What to send. `path` follows the provider's base URL; credentials are added later, by dispatch. */
export interface UpstreamRequest {
  method: 'POST' | 'GET';
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** What translation may know besides the bytes: no clock, no chance, no I/O. */
export interface TranslationContext {
  call: ChatCall;
  offer: Offer;
  /** For ids the vendor left out. */
  completionId: string;
  /** Unix seconds, for `created` where the vendor left it out. */
  created: number;
  /** Told of every tool call that came with a signature, as soon as it is known. */
  keepSignature?: (callId: string, signature: string) => void;
}

/** One stream being translated. Its state is its own; it knows nothing of sockets and time. */
export interface StreamTranslator {
  /**
   * Chunks in the canonical form, or a thrown GatewayError when the frame tells of a fault. A frame that cannot be read
   * gives none and is counted; too many of them are a fault.
   */
  frame(frame: Frame): ChatChunk[];
  /**
   * After the upstream's last byte: what was held back, such as the usage. Throws `stream_truncated` when the vendor
   * had not finished.
   */
  end(): ChatChunk[];
  /** Every choice told its finish reason, or the vendor said its last word: a close from here on is a clean end. */
  finished(): boolean;
  /** The vendor's last word (`[DONE]`) was seen: nothing that counts follows, the socket may be let go. */
  done(): boolean;
  /** The last usage the vendor told, for streams that are cut or cancelled before the end. */
  usage(): Usage | undefined;
  /** Frames that could not be read and were left out. */
  skipped(): number;
}

/** Whose chat format a provider speaks. Members we do not know are passed on only within the canonical dialect, `openai`. */
export type Dialect = 'anthropic' | 'bedrock' | 'google' | 'openai';

/** Who a provider is and how it is reached: the same for its chats and its images. */
export interface Provider {
  readonly id: string;
  /** Where the vendor answers when nothing else is configured. */
  readonly baseUrl: string;
  /** The environment variable's stem: `OPENAI` for `OPENAI_API_KEY` and `OPENAI_BASE_URL`. */
  readonly keyVariable: string;
  readonly auth: Auth;
  readonly settings?: readonly ProviderSetting[];
  /** For vendors whose address depends on what is configured; `baseUrl`, or what replaces it, for all others. */
  address?(configured: Configured): Address | Missing;
}

/**
 * A vendor's chat API as pure functions. `model` in what they return is the vendor's own name of it; whoever answers the
 * client sets `<provider>/<model>`.
 */
export interface ChatProvider extends Provider {
  readonly dialect: Dialect;
  readonly framing: 'sse' | 'aws-event-stream';
  /**
   * True promises: a frame that differs from an earlier one only inside its text (content or thinking) gives a chunk
   * that differs only there too, and changes no state. Such frames may be forwarded without being parsed.
   */
  readonly textDeltasAreIndependent: boolean;
  /** `inline`: the vendor fetches nothing, addresses of images must have become data URLs before `request`. */
  readonly images: 'url' | 'inline';
  readonly imageLimits: ImageLimits;
  /** How many choices one call can bring; a larger `n` takes several calls, each asking for no more than this. */
  readonly maxChoices: number;
  readonly callSignatures?: CallSignatureRules;
  /**
   * The member of the request this provider cannot honour with this model, where leaving it out would change what the
   * answer means: another offer should be taken. `request` refuses it with `unsupported_capability`.
   */
  unsupported?(call: ChatCall, offer: Offer): string | undefined;
  request(call: ChatCall, offer: Offer): UpstreamRequest;
  response(body: unknown, context: TranslationContext): ChatCompletion;
  /** Fresh state per call. */
  stream(context: TranslationContext): StreamTranslator;
  /** The vendor's error as ours, with fault domain and retry-after. `body` is parsed JSON or text. */
  error(status: number, headers: Readonly<Record<string, string | string[] | undefined>>, body: unknown): GatewayError;
}
