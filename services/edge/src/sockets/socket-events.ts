import { namesOf } from '@tallyport/contracts';
import type { Kit } from '@tallyport/service-kit';
import { type Closing, closings } from './closings.ts';

interface ClosedSocket {
  /** Of the request that opened it. */
  requestId: string;
  route: string;
  closing: Closing;
  durationMs: number;
  requests: number;
}

export interface SocketEvents {
  opened(route: string): void;
  /** A client has sent one. */
  message(route: string): void;
  closed(closed: ClosedSocket): void;
  /** The keys of open sockets could not be checked, or their clients not asked whether they are there. */
  failed(error: unknown): void;
}

/** Counts each socket that opens and closes, and logs it once when it is closed. */
export function socketEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>, routes: readonly string[]): SocketEvents {
  const open = metrics.gauge({ name: 'gateway_sockets', help: 'WebSockets open now.', labels: { route: routes } });
  const messages = metrics.counter({
    name: 'gateway_socket_messages_total',
    help: 'Messages that clients sent on WebSockets.',
    labels: { route: routes },
  });
  const ended = metrics.counter({
    name: 'gateway_sockets_closed_total',
    help: 'WebSockets that were closed, by the reason.',
    labels: { route: routes, reason: namesOf(closings) },
  });
  return {
    opened: (route) => open.with({ route }).add(1),
    message: (route) => messages.with({ route }).increment(),
    closed({ closing, route, ...socket }) {
      open.with({ route }).add(-1);
      ended.with({ route, reason: closing }).increment();
      const durationMs = Math.round(socket.durationMs);
      log.info({ ...socket, durationMs, route, reason: closing }, `socket closed: ${closings[closing].what}`);
    },
    failed: (error) => log.warn({ error }, 'open sockets could not be checked'),
  };
}
