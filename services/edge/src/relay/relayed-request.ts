import type { IncomingMessage } from 'node:http';
import type { Caller, Principal } from '@tallyport/contracts';
import type { EntryRequest } from '../door.ts';
import type { TrackedRequest, RequestContext } from '../request-context.ts';
import type { BodyTarget } from './write-body.ts';

/** An answer whose head has been sent. */
export interface StartedAnswer extends BodyTarget {
  status: number;
  isEventStream: boolean;
}

/** A request that is being relayed, and what is known about it so far. */
export class RelayedRequest<Context extends TrackedRequest = RequestContext> implements EntryRequest {
  readonly context: Context;
  readonly request: IncomingMessage;
  readonly query: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  principal: Principal | undefined;
  limits: Caller['limits'] | undefined;
  /** When the key expires. */
  expiresAt: string | undefined;
  /** Headers that the door adds to the response. */
  added: Readonly<Record<string, string>> = {};
  /** The time that authentication and limits took. */
  authMs = 0;
  /** A service has the request: it records its own refusals. */
  isOpened = false;
  answer: StartedAnswer | undefined;
  readonly #startedAt = performance.now();

  constructor(context: Context, signal: AbortSignal) {
    this.context = context;
    this.request = context.request;
    this.query = context.query;
    this.signal = signal;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.added = { ...this.added, ...headers };
  }

  onCaller({ principal, limits, expiresAt }: Caller): void {
    this.principal = principal;
    this.limits = limits;
    this.expiresAt = expiresAt;
  }

  elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }
}
