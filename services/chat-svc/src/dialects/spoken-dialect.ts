import type { ExchangeHandler } from '@tallyport/bus';
import type { GuardedExchange } from '@tallyport/serving';
import type {
  Dialect,
  DialectCall,
  DialectEvent,
  DialectRequest,
  DialectStream,
  PassedEvent,
  PassedEvents,
} from '@tallyport/dialects';

/** A dialect that may need state for a request, and may have to store a response before its end is sent. */
export interface SpokenDialect extends Pick<Dialect, 'name' | 'errors' | 'memberNames'> {
  read(request: DialectRequest, exchange: GuardedExchange): SpokenCall | Promise<SpokenCall>;
  /** Begins a request that is answered in the background; `undefined` for all others. */
  defer?(request: DeferredRequest): ExchangeHandler | undefined;
}

export interface DeferredRequest extends DialectRequest {
  /** The body with what it says about routing. */
  arrived: Buffer;
}

/** `answer` may return a promise. */
export interface SpokenCall extends Omit<DialectCall, 'stream' | 'passed'> {
  /** The size of a chat that includes stored items, which are not in the request's body. */
  storedBytes?: number | undefined;
  stream(promptTokens?: () => number): SpokenStream;
  passed?: SpokenPassedAnswer;
}

/** What a vendor's own answer needs before the client has it. */
export interface SpokenPassedAnswer {
  whole(body: Buffer): Buffer | Promise<Buffer>;
  stream(): SpokenPassedEvents;
}

export interface SpokenPassedEvents extends Omit<PassedEvents, 'end'> {
  end(): PassedEvent[] | Promise<PassedEvent[]>;
}

export interface SpokenStream extends Omit<DialectStream, 'end'> {
  end(): DialectEvent[] | Promise<DialectEvent[]>;
}
