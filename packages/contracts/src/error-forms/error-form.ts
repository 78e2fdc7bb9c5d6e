import type { GatewayError } from '../errors.ts';

/** Errors in the form and with the status that clients of an API expect. */
export interface ErrorForm {
  /** The header in which clients of the API look for the request id, besides `x-request-id`. */
  readonly requestIdHeader?: string;
  /** Before the first byte of a response. */
  error(error: GatewayError, requestId: string): { status: number; body: unknown };
  /** The last event of a stream whose service was lost, as the text of a server-sent event. */
  lastEvent(error: GatewayError): string;
}
