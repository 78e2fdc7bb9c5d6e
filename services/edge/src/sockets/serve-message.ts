import type { ExchangeResponse } from '@tallyport/bus';
import { type GatewayError, type RequestHead, toGatewayError } from '@tallyport/contracts';
import type { Leave } from '@tallyport/limits';
import { clientLeft } from '../http/has-left.ts';
import { recordRefusal } from '../relay/record-refusal.ts';
import type { RelayOptions } from '../relay/relay.ts';
import { RelayedRequest } from '../relay/relayed-request.ts';
import type { RelayOutcome, TrackedRequest } from '../request-context.ts';
import type { ClientSocket } from './client-socket.ts';

export type MessageOptions = Pick<RelayOptions, 'enter' | 'open' | 'operation' | 'refused' | 'running'>;

export type RelayedMessage = RelayedRequest<TrackedRequest>;

/** What is asked of a service for a message of a socket, or for all of them. */
interface MessageExchange {
  socket: Pick<ClientSocket, 'isOpen'>;
  /** Aborted when the socket is closed. */
  signal: AbortSignal;
  body: Parameters<RelayOptions['open']>[0]['body'];
  head(relayed: RelayedMessage): RequestHead;
  /** Sends the answer to the client, to its end. */
  send(answer: ExchangeResponse, relayed: RelayedMessage): Promise<void>;
  /** Sends an error to a client that is still there. */
  fail(error: GatewayError, relayed: RelayedMessage): void;
}

/** Serves a message as a request is served: admits it, asks the service, and records its refusal. */
export async function serveMessage(
  arrived: TrackedRequest,
  { socket, signal, body, head, send, fail }: MessageExchange,
  options: MessageOptions,
): Promise<RelayOutcome> {
  const relayed = new RelayedRequest(arrived, signal);
  let leave: Leave | undefined;
  let status: number | undefined;
  try {
    leave = await options.enter(relayed);
    const asked = { head: head(relayed), body, signal };
    relayed.isOpened = true;
    const answer = await options.open(asked, relayed.request);
    ({ status } = answer.head);
    await send(answer, relayed);
    return { status };
  } catch (thrown) {
    if (!socket.isOpen) {
      const error = clientLeft(thrown);
      return { status: error.status, error };
    }
    const error: GatewayError = toGatewayError(options.running.ending() ?? thrown);
    fail(error, relayed);
    recordRefusal(relayed, error, options);
    return { status: status ?? error.status, error };
  } finally {
    leave?.();
  }
}
