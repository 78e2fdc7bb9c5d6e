import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '@switchyard/contracts';

/** A request edge answers, with what is known of it before anything is read. */
export interface RequestContext {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The query string without `?`. */
  query: string;
  /** Of the span of this request. */
  traceparent: string;
}

/** How a request ended, for the log and the metrics. */
export interface RelayOutcome {
  status: number;
  error?: GatewayError;
}
