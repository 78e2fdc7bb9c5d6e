import type { RequestKind } from './caller.ts';
import type { ErrorForm } from './error-forms/error-form.ts';
import type { UsageOperation } from './paid-operations.ts';

/** An endpoint of the API whose requests edge relays over the bus. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /**
   * A fixed path, or one with an `{id}` that matches the rest of the path, slashes included. What follows the `{id}` must end
   * the path; such endpoints precede those without. A second id, with another name, is part of that rest.
   */
  readonly path: string;
  /** The service that answers, and the name of the exchange in its contract. */
  readonly service: 'auth' | 'batch' | 'catalog' | 'chat' | 'image' | 'ledger';
  readonly exchange: string;
  /**
   * `optional`: it works without a key; with one, the response depends on the key's permissions. `session`: for modules of
   * our pages, which show that they belong to a session and need no key.
   */
  readonly key: 'required' | 'optional' | 'session';
  /** The kind of request, for the limits. */
  readonly kind: RequestKind;
  /** The content types a body may have; empty if none is accepted. */
  readonly accepts: readonly string[];
  /** What its requests are recorded as; absent for requests that cost nothing. */
  readonly usage?: UsageOperation;
  /** What a model makes that only this endpoint serves. */
  readonly makes?: string;
  /** Shows or changes what clients have sent or received. */
  readonly holdsContent?: true;
  /** It may be answered after its request has ended: its service applies the limits on concurrent requests then. */
  readonly isDeferrable?: true;
  /** The form of errors; that of OpenAI's API if absent. */
  readonly errors?: ErrorForm;
  /** The form of errors for clients of Anthropic's API, where the path belongs to both. */
  readonly anthropicErrors?: ErrorForm;
  /** Its body may be larger than memory: it is passed on as it arrives, with a bound and a deadline of its own. */
  readonly streamsBody?: true;
  /** What clients speak on a WebSocket at the same path; absent where the path has none. */
  readonly socket?: SocketProtocolName;
  /** The call of OpenAI's SDKs. */
  readonly sdk?: SdkCall;
}

/**
 * `responses`: each message of a client is a request of the endpoint, and each event of its answer a message. `realtime` and
 * `live`: the messages of both sides are relayed to one exchange, in OpenAI's or Google's API.
 */
export type SocketProtocolName = 'live' | 'realtime' | 'responses';

interface SdkCall {
  readonly python: string;
  readonly typescript: string;
  /** Where in the path the first argument is, counted from its end. */
  readonly argument?: number;
}
