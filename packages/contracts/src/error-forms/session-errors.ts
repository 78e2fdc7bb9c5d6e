import type { GatewayError } from '../errors.ts';

/** How the sessions of an API report errors. */
export interface SessionErrors {
  /** The message before the close frame; `undefined` if the frame says all there is. */
  last(error: GatewayError): string | undefined;
  /** The message after which the session goes on; absent where an error always ends it. */
  within?(error: GatewayError): string;
  /** Of the close frame. Its reason is the message of the error. */
  closeCode(error: GatewayError): number;
}
