import type { RequestHead, ResponseHead } from '@tallyport/contracts';
import type { UnheardService } from './heard-services.ts';

/** Bytes that arrive over time. The sender is stopped by leaving the loop early or by calling `cancel`. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Reads the whole stream. Rejects with `request_too_large` beyond `limit`. */
  bytes(limit?: number): Promise<Uint8Array>;
  cancel(): void;
}

export type Body = Uint8Array | AsyncIterable<Uint8Array>;

export interface ExchangeRequest {
  head: RequestHead;
  body: Body;
  /** Aborting it cancels the exchange: the handler's own signal aborts as well. */
  signal?: AbortSignal;
}

export interface ExchangeResponse {
  head: ResponseHead;
  body: ByteStream;
}

/** A request as its handler receives it. */
export interface IncomingExchange {
  head: RequestHead;
  body: ByteStream;
  /** Aborts when the caller disconnects, its deadline passes, or this process shuts down. */
  signal: AbortSignal;
  /** Aborts when the caller disconnects, where `signal` does not because the work goes on without it. */
  clientSignal?: AbortSignal;
  /**
   * Call it before work that must not be done twice. If the request is so old that another replica may have it, asks
   * the caller whether it still waits, and resolves when it confirms or when `signal` aborts. Returns `undefined` if
   * the request is recent, so that there is nothing to wait for.
   */
  stillWanted?(): Promise<void> | undefined;
  /**
   * Call it directly before work that must not be done twice. Reports to the caller that this replica has the request, so
   * that no other one gets it if this one is killed or hangs. Resolves when the report has left this process; returns
   * `undefined` if there is nothing to wait for.
   */
  confirm?(): Promise<void> | undefined;
  /**
   * Asked before the request is recorded, where another replica may take it over at any time. Resolves with `false` if one
   * has done so. With `isCharged`, none will do so from then on.
   */
  mayRecord?(isCharged: boolean): Promise<boolean>;
}

/** The answer of a handler. If the handler throws a GatewayError, the caller receives the same typed error instead. */
export interface ExchangeAnswer {
  head: ResponseHead;
  body: Body;
  /** The body is no stream of events that can get ids, although it may look like it. */
  opaque?: true;
  /** Of a stream whose events can get ids: the same body, event by event. */
  events?: () => AsyncIterable<Uint8Array>;
  /** Whether the body, once it was read, has ended with an error. */
  failed?: () => boolean;
}

export type ExchangeHandler = (request: IncomingExchange) => Promise<ExchangeAnswer>;

export interface ListenOptions {
  /** Exchanges beyond this number at once are refused with `overloaded`. */
  maxConcurrent?: number;
}

/** The operations that a replica serves under one service name. Replicas with the same name share the work. */
export interface ServiceRegistration {
  service: string;
  version: string;
  handlers: Readonly<Record<string, ExchangeHandler>>;
  options?: ListenOptions;
}

export interface Listener {
  /**
   * Stops accepting work, lets running exchanges finish until the deadline, then aborts the rest with a typed error.
   */
  drain(deadlineMs: number): Promise<void>;
  /** The number of running exchanges. */
  active(): number;
}

export interface ConsumeOptions {
  /** The most entries in one batch. */
  maxBatch?: number;
  /** How long an incomplete batch waits for more entries in memory. A durable journal waits ten times longer. */
  gatherMs?: number;
  /** In memory, the wait grows up to this with the time that the last batch took: `waitAfter`. */
  maxGatherMs?: number;
  /** Called when a batch has failed. The batch is delivered again after a pause. */
  onFailure?: (error: unknown) => void;
}

export interface JournalEntry {
  id: string;
  bytes: Uint8Array;
  /**
   * Called when the entry has left this process: if the process is killed now, the entry is stored all the same, unless
   * the journal's server is killed as well. Not called where storing takes no time.
   */
  onSent?(): void;
}

/** Durable queues with delivery at least once. */
export interface Journals {
  /** Whether entries are stored by a server, which may lose stored ones when it is killed. */
  readonly mayLose: boolean;
  /**
   * Resolves when the entry is stored; rejects with `unavailable` when it cannot be. An entry that is appended again may
   * be delivered twice, so consumers must deduplicate by `id`.
   */
  append(subject: string, entry: JournalEntry): Promise<void>;
  /** Delivers batches in order. A batch whose handler throws is delivered again, so handlers must be idempotent. */
  consume(
    subject: string,
    handler: (entries: readonly Uint8Array[]) => Promise<void>,
    options?: ConsumeOptions,
  ): Promise<Consumer>;
}

export interface Consumer {
  /** Finishes the current batch; the rest stays in the journal. */
  stop(): Promise<void>;
}

/** The transport between services. All code above it is the same over NATS and within one process. */
export interface Link {
  /**
   * Resolves at the response head. Rejects with a GatewayError: `unavailable` when no replica listens, `overloaded`,
   * `deadline_exceeded`, `client_closed_request` when `signal` aborts, or the error that the handler threw.
   */
  open(subject: string, request: ExchangeRequest): Promise<ExchangeResponse>;
  /** Resolves when the service is registered and receives requests. */
  listen(registration: ServiceRegistration): Promise<Listener>;
  /** Leaves requests of other processes to other replicas. This process is still answered until each listener drains. */
  leave(): Promise<void>;
  /** Sends to every subscriber, best effort. */
  notify(subject: string, payload: Uint8Array): void;
  /**
   * Returns a function that unsubscribes. `missed` is called after an interruption in which messages may have been
   * lost.
   */
  subscribe(subject: string, handler: (payload: Uint8Array) => void, missed?: () => void): () => void;
  readonly journals: Journals;
  /** Whether frames can be sent now. */
  connected(): boolean;
  /** The services that this process needs and of which it hears no replica. None in one process. */
  unheard(): readonly UnheardService[];
  close(): Promise<void>;
}
