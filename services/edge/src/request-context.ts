import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '@tallyport/contracts';

/** A request with what is known about it before its body is read. */
export interface RequestContext extends TrackedRequest {
  response: ServerResponse;
}

/** A request, which may be a message on a socket. */
export interface TrackedRequest {
  /** A message has that of its socket. */
  request: IncomingMessage;
  requestId: string;
  /** The query string without `?`. */
  query: string;
  /** The W3C trace context of this request's span. */
  traceparent: string;
}

/** The outcome of a request, for the log and the metrics. */
export interface RelayOutcome {
  status: number;
  error?: GatewayError;
}
