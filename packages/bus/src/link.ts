import type { RequestHead, ResponseHead } from '@switchyard/contracts';

/** Bytes that arrive over time. Leaving the loop early, or never starting it and calling `cancel`, stops the sender. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Everything at once. Throws `request_too_large` beyond `limit`. */
  bytes(limit?: number): Promise<Uint8Array>;
  cancel(): void;
}

export type Body = Uint8Array | AsyncIterable<Uint8Array>;

export interface ExchangeRequest {
  head: RequestHead;
  body: Body;
  /** Aborting tells the other side, which sees its own signal abort. */
  signal?: AbortSignal;
}

export interface ExchangeResponse {
  head: ResponseHead;
  body: ByteStream;
}

/** What a handler is given: the request as it arrives. */
export interface IncomingExchange {
  head: RequestHead;
  body: ByteStream;
  /** Aborts when the caller left, its deadline passed or this process must end. */
  signal: AbortSignal;
}

/** What a handler answers with. A thrown GatewayError becomes a typed error on the other side. */
export interface ExchangeAnswer {
  head: ResponseHead;
  body: Body;
}

export type ExchangeHandler = (request: IncomingExchange) => Promise<ExchangeAnswer>;

export interface ListenOptions {
  /** More than this at once are refused with `overloaded`. */
  maxConcurrent?: number;
}

/** What a replica listens to, under one service name. Replicas of one name share the work. */
export interface ServiceRegistration {
  service: string;
  version: string;
  handlers: Readonly<Record<string, ExchangeHandler>>;
  options?: ListenOptions;
}

export interface Listener {
  /** Takes no new work, finishes what runs until the deadline, then aborts the rest with a typed error. */
  drain(deadlineMs: number): Promise<void>;
  /** How many exchanges run now. */
  active(): number;
}

export interface ConsumeOptions {
  /** At most so many entries in one batch. */
  maxBatch?: number;
  /** How long an incomplete batch waits for more in memory; longer where it is safe. */
  gatherMs?: number;
  /** Told when a batch failed; it comes again after a pause. */
  onFailure?: (error: unknown) => void;
}

/** Durable, at least once. */
export interface Journals {
  /**
   * Resolves when the entry is stored. Throws `unavailable` when it cannot be. An entry appended again is stored once, or
   * twice where it was in other company: consumers must know what they have seen.
   */
  append(subject: string, id: string, entry: Uint8Array): Promise<void>;
  /** Batches in order. A batch whose handler throws comes again, so the handler must not mind seeing an entry twice. */
  consume(
    subject: string,
    handler: (entries: readonly Uint8Array[]) => Promise<void>,
    options?: ConsumeOptions,
  ): Promise<Consumer>;
}

export interface Consumer {
  /** Finishes the batch that runs; the rest stays in the journal. */
  stop(): Promise<void>;
}

/** How bytes move between services. Everything above it is the same over NATS and inside one process. */
export interface Link {
  /** Resolves at the response head. Throws GatewayError: `unavailable` when nobody listens, `overloaded`, `deadline_exceeded`, or what the handler threw. */
  open(subject: string, request: ExchangeRequest): Promise<ExchangeResponse>;
  listen(registration: ServiceRegistration): Promise<Listener>;
  /** Fan-out to every subscriber, best effort. */
  notify(subject: string, payload: Uint8Array): void;
  /** `missed` is told after a time in which some may have been lost. */
  subscribe(subject: string, handler: (payload: Uint8Array) => void, missed?: () => void): () => void;
  readonly journals: Journals;
  /** Whether frames can move now. */
  connected(): boolean;
  close(): Promise<void>;
}
