import type { PlannedRequest } from '@switchyard/answer-cache';
import type { ExchangeAnswer, IncomingExchange } from '@switchyard/bus';
import type { GatewayError, Offer, RequestHead, ResponseHead, UsageOperation } from '@switchyard/contracts';
import type { ChatOutcome, Plan } from '@switchyard/dispatch';
import type { Settlement } from '@switchyard/metering';
import type { RequestEstimate } from '@switchyard/pricing';
import type { StreamSource } from './stream/stream-body.ts';

/** What an endpoint that costs money hands to `servePaid`. */
export interface PaidEndpoint {
  events: PaidEvents;
  /** Reads, checks and plans a request, before anything is paid for. Throws GatewayError to refuse it. */
  read(exchange: IncomingExchange): Promise<PaidRequest>;
}

export interface PaidEvents {
  /** Reading, checking and planning took this long. */
  planned(planMs: number): void;
  /** The request ended before any provider was called: invalid, unknown model, not allowed, over a limit. */
  refused(head: RequestHead, error: GatewayError): void;
}

/** One request that was read and planned: what differs between endpoints. */
export interface PaidRequest {
  operation: UsageOperation;
  plan: Plan;
  planMs: number;
  /** The answer is an event stream. */
  stream: boolean;
  cache: CacheTerms;
  /** What it may use. Called only where the key or its account has a limit or a budget. */
  estimate(): RequestEstimate;
  /** Takes the room in this process that the answer needs. Throws GatewayError where there is none. */
  admit?(): void;
  /**
   * Calls providers until one answers. Must call `life.settle` once when the outcome is known, also when it throws; of a
   * stream that is when the stream ends.
   */
  attempt(life: RequestLife): Promise<PaidAnswer>;
  /** Sends a whole answer; in slices with its length when absent. */
  send?(head: ResponseHead, slices: Buffer[]): ExchangeAnswer;
  /** Waits for the answer; an endpoint may send a head before there is one. `soFar` are the headers known by then. */
  wait?(pending: Promise<ExchangeAnswer>, soFar: () => Record<string, string>): Promise<ExchangeAnswer>;
}

/** How the cache treats a request. See `PlannedRequest` of the answer cache. */
export type CacheTerms = Pick<PlannedRequest, 'mode' | 'uncacheable' | 'counted' | 'from' | 'follow'>;

/** What a request being served gives its attempt. */
export interface RequestLife {
  /** Aborts when no caller waits for the answer any more. */
  readonly signal: AbortSignal;
  settle(settlement: Settlement): void;
}

/** What a provider answered, ready to be sent. */
export interface PaidAnswer {
  offer: Offer;
  /** Calls of providers that it took. */
  attempts: number;
  content: WholeAnswer | StreamedAnswer;
}

export interface WholeAnswer {
  kind: 'whole';
  /** The answer as one JSON document. */
  document(): Buffer[];
  /** The same as the events of a stream, for clients that asked for one. */
  events?(): Iterator<Buffer>;
  /** `false`: something that was asked for is missing, so it is not shared with other requests. */
  complete: boolean;
}

export interface StreamedAnswer {
  kind: 'stream';
  source: StreamSource;
  /** What the stream came to; known before its end is read. */
  ending(): Pick<ChatOutcome, 'skippedFrames' | 'usage'> | undefined;
}
