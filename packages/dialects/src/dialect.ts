import type { ErrorForm, GatewayError } from '@tallyport/contracts';
import type { MemberNames } from './client-words.ts';
import type { ChatChunk, ChatCompletion, ChatRequest, NativeRequest } from '@tallyport/wire';

/**
 * An API that clients speak, as pure functions from and to chat completions, the canonical form. What a chat request
 * cannot express is left to providers with the same API, or refused by name; it is never dropped in silence.
 */
export interface Dialect {
  readonly name: string;
  readonly errors: ErrorForm;
  /** How its errors name members of a chat. */
  readonly memberNames: MemberNames;
  /**
   * Translates a request. Throws `invalid_parameters` with `param`, the path of the member that is wrong or that cannot be
   * translated.
   */
  read(request: DialectRequest): DialectCall;
}

/** A request as it arrived. */
export interface DialectRequest {
  /** The body as it arrived. */
  bytes: Buffer;
  /** Parsed JSON. */
  body: unknown;
  /** The models that stand in for that of the body. */
  standIns?: readonly string[] | undefined;
  /** Whether the client named a route and not a model. Known once the request is planned. */
  isRouted?(): boolean;
  /** What the path names after the operation's own part: a model and a verb, or nothing. */
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  /** The time in Unix seconds, for responses that state theirs. */
  now(): number;
  /** A new id without a prefix, 32 hexadecimal characters. */
  newId(): string;
}

/** One translated request, and how its response is translated back. */
export interface DialectCall {
  chat: ChatRequest;
  /** The same request for providers that have this API; absent if it must not be passed on as it is. */
  native?: NativeRequest;
  /** Why a chat cannot express the request; `chat` is only an outline of it then, and `native` is present. */
  untranslatable?: GatewayError;
  /** Its response is made of a text, which a model that only makes images does not have. */
  needsText?: boolean | undefined;
  /** Members that are not read, and would change the answer; absent if there is none. */
  ignored?: readonly string[] | undefined;
  /** The end user whom the request names, if the chat does not have it in full. */
  endUser?: string | undefined;
  /** The whole response. Its model is the one that answered, as the client named it. */
  answer(completion: ChatCompletion): unknown;
  /**
   * The translator of a streamed response, with fresh state. `promptTokens` estimates the prompt, for APIs that state its
   * tokens before the response.
   */
  stream(promptTokens?: () => number): DialectStream;
  /** How a response is passed on that a vendor with this API wrote; absent if it stays as it is. */
  passed?: PassedAnswer;
  /** How the events of a streamed response are written; `events` when absent. */
  framing?: StreamFraming;
}

/**
 * `events`: server-sent events. `events until done`: with `[DONE]` after the last one if the stream ended well. `array`: the
 * elements of one JSON array.
 */
export type StreamFraming = 'events' | 'events until done' | 'array';

/** An operation that counts the tokens of a prompt. */
export interface TokenCount {
  /** That of the dialect. */
  readonly name: string;
  /** The request whose prompt is counted. Throws like the dialect's `read`. */
  read(request: DialectRequest): Pick<DialectCall, 'chat' | 'native' | 'untranslatable'>;
  answer(tokens: number): object;
  /** See `Dialect`. */
  readonly memberNames: MemberNames;
}

/** Translates the chunks of one stream into events. Each method returns the events to send next, in order. */
export interface DialectStream {
  chunk(chunk: ChatChunk): DialectEvent[];
  /** The stream ended well: closes what is open and states the usage. */
  end(): DialectEvent[];
  /** The stream failed after its first byte; nothing follows. */
  fail(error: GatewayError): DialectEvent[];
  /** Keeps the connection open during silence; absent where an SSE comment does. */
  ping?(): DialectEvent[];
}

/** What changes in a response that is passed on. */
export interface PassedAnswer {
  whole(body: Buffer): Buffer;
  /** Fresh state for one stream. */
  stream(): PassedEvents;
}

/** Follows the events of a stream that is passed on. Each method returns the events to send next. */
export interface PassedEvents {
  event(event: PassedEvent): PassedEvent[];
  end(): PassedEvent[];
  fail(error: GatewayError): PassedEvent[];
}

/** An event with the vendor's own JSON. */
export interface PassedEvent {
  event?: string | undefined;
  json: string;
}

/** One server-sent event, or one element of an array. */
export interface DialectEvent {
  event?: string;
  /** Sent as JSON. */
  data: unknown;
}
