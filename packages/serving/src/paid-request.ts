import type { CacheTerms } from './cache/index.ts';
import type { ExchangeAnswer, IncomingExchange } from '@tallyport/bus';
import {
  endUserOf,
  type GatewayError,
  type Offer,
  type RequestHead,
  type ResponseHead,
  type UsageOperation,
} from '@tallyport/contracts';
import type { ChatOutcome, Detour, Plan } from '@tallyport/dispatch';
import type { Settlement } from './metering/index.ts';
import type { HoldAnswer } from '@tallyport/outbound';
import type { RequestEstimate } from '@tallyport/pricing';
import type { AnswerDocument, AnswerEvent } from '@tallyport/wire';
import type { OtherModels } from './answer/served-request.ts';
import type { Lease } from './byte-budget.ts';
import type { ContentReader } from './content-reader.ts';
import type { ApiForm } from './stream/api-form.ts';
import type { ByteSource, StreamSource } from './stream/stream-body.ts';

/** What an endpoint that costs money passes to `servePaid`. */
export interface PaidEndpoint {
  /** Distinguishes its requests from those of other endpoints with the same body and Idempotency-Key. */
  name: string;
  /** The operation in its records. */
  operation: UsageOperation;
  events: PaidEvents;
  /**
   * Opens the lease of a request, which is released once it is refused, answered from the cache, or settled. Absent if
   * the endpoint counts no bytes.
   */
  lease?(): Lease;
  /** The lease counts the answer as well: `send` and the stream release it. */
  leaseOfAnswer?: true;
  /**
   * Reads, checks and plans a request before anything is paid for. Throws GatewayError to refuse it. Sets what it
   * learns in `draft`, for the record of a refusal. `lease` counts its bytes.
   */
  read(exchange: IncomingExchange, draft: RequestDraft, lease: Lease): Promise<PaidRequest>;
}

/** What is known about a request while it is read. */
export interface RequestDraft {
  /** As the client wrote it. */
  model?: string;
  /** Of the header, until the body is read. */
  endUser?: string | undefined;
}

/** What is known before the body is read. */
export const draftOf = (head: Pick<RequestHead, 'headers'>): RequestDraft => ({ endUser: endUserOf(head) });

export interface PaidEvents {
  /** Reports the time for reading, checking and planning. */
  planned(planMs: number): void;
  /** The request ended before a provider was called: invalid, unknown model, not allowed, over a limit. */
  refused(head: RequestHead, error: GatewayError): void;
}

/** One request after reading and planning: everything that differs between endpoints. */
export interface PaidRequest {
  plan: Plan;
  planMs: number;
  /** The answer is an event stream. */
  stream: boolean;
  /** The service tier that it asks. */
  tierAsked?: string | undefined;
  cache: CacheTerms;
  /** The API of the answer; OpenAI's when absent. */
  form?: ApiForm | undefined;
  /** Headers of every answer to this request, also of one from the cache. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Reads prompt and answer for accounts that keep them; absent for all others. */
  content?: ContentReader | undefined;
  /** The highest possible usage. Called only if the key or its account has a limit or a budget. */
  estimate(): RequestEstimate;
  /** Reserves memory for the answer. Throws GatewayError if there is none. */
  admit?(): void;
  /**
   * Calls providers until one answers. Must call `life.settle` once the outcome is known, also when it throws; for a
   * stream that is at the end of the stream.
   */
  attempt(life: RequestLife): Promise<PaidAnswer>;
  /** Sends a whole answer. Default: in slices, with a content-length. */
  send?(head: ResponseHead, slices: Buffer[]): ExchangeAnswer;
  /** Waits for the answer. An endpoint may send the head earlier; `soFar` returns the headers known by then. */
  wait?(pending: Promise<ExchangeAnswer>, soFar: () => Record<string, string>): Promise<ExchangeAnswer>;
}

/** What a running attempt gets. */
export interface RequestLife {
  /** Aborts once no caller waits for the answer. */
  readonly signal: AbortSignal;
  settle(settlement: Settlement): void;
  /** Counts the bytes of an answer while it is read. */
  readonly holdAnswer?: HoldAnswer | undefined;
  /** Absent if the request names one model. */
  readonly others?: OtherModels;
  /** Set if a batch of the vendor makes the call. */
  readonly detour?: Detour | undefined;
}

/** The answer of a provider, ready to be sent. */
export interface PaidAnswer {
  offer: Offer;
  /** That of the model that answered; absent if it is the request's own. */
  plan?: Plan;
  /** The number of provider calls it took. */
  attempts: number;
  /** Further headers of the response. */
  headers?: Readonly<Record<string, string>>;
  content: WholeAnswer | StreamedAnswer | BytesAnswer;
}

export interface WholeAnswer {
  kind: 'whole';
  document: AnswerDocument;
  /** Returns the answer as events, for clients that asked for a stream. */
  events?(): Iterator<AnswerEvent>;
  /** `false` if part of the requested result is missing; the answer is not shared with other requests then. */
  complete: boolean;
}

export interface StreamedAnswer {
  kind: 'stream';
  source: StreamSource;
  /** Returns the outcome of the stream, which is known before its end is read. */
  ending(): Pick<ChatOutcome, 'skippedFrames' | 'usage'> | undefined;
}

/** A provider's bytes, passed on as they arrive. Such an answer is neither cached nor shared. */
export interface BytesAnswer {
  kind: 'bytes';
  headers: Readonly<Record<string, string>>;
  source: ByteSource;
}
