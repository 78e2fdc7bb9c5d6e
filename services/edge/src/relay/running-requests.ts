import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayError } from '@tallyport/contracts';

/** Ends requests that are being relayed when their client disconnects or this process shuts down. */
export interface RunningRequests {
  /** Aborted when the client has disconnected or `endAll` was called. The requests of a connection share it. */
  signalOf(request: IncomingMessage): AbortSignal;
  /** Aborts all running requests. From then on, `ending` returns the reason for every failure. */
  endAll(reason: GatewayError): void;
  ending(): GatewayError | undefined;
}

/** A controller per connection: one per request would cost more than the rest of its bookkeeping. */
export function createRunningRequests(): RunningRequests {
  const controllers = new Map<Socket, AbortController>();
  let ending: GatewayError | undefined;

  function watch(socket: Socket): AbortController {
    const controller = new AbortController();
    controllers.set(socket, controller);
    socket.once('close', () => {
      controllers.delete(socket);
      controller.abort();
    });
    return controller;
  }

  return {
    signalOf: ({ socket }) => (controllers.get(socket) ?? watch(socket)).signal,
    endAll(reason) {
      ending = reason;
      for (const controller of controllers.values()) controller.abort(reason);
    },
    ending: () => ending,
  };
}
