import type { IncomingMessage } from 'node:http';
import { type Caller, type ErrorForm, type GatewayError, type Principal, toGatewayError } from '@tallyport/contracts';
import type { Leave } from '@tallyport/limits';
import type { WebSocket, WebSocketServer } from 'ws';
import type { EntryRequest } from '../door.ts';
import { clientLeft, refuseIfLeft } from '../http/has-left.ts';
import type { MemoryBudget } from '../http/memory-budget.ts';
import { sendError } from '../http/send-error.ts';
import { RelayedRequest } from '../relay/relayed-request.ts';
import type { RunningRequests } from '../relay/running-requests.ts';
import type { TrackedRequest, RelayOutcome } from '../request-context.ts';
import { ClientSocket, type SocketSession } from './client-socket.ts';
import { checkHandshake } from './handshake.ts';
import type { OpenSockets } from './open-sockets.ts';
import type { SocketEvents } from './socket-events.ts';
import { upgradeRefusal, type Upgrade } from '../http/upgrade.ts';

export interface OpenedSocket {
  socket: ClientSocket;
  /** The request that opened it. */
  request: IncomingMessage;
  principal: Principal;
  /** Aborted when the socket is closed. */
  signal: AbortSignal;
}

/** What is spoken on the sockets of a route. */
export interface SocketProtocol {
  open(opened: OpenedSocket): SocketSession & {
    /** For the log. */
    requests(): number;
  };
}

interface SocketRouteOptions {
  route: string;
  errors: ErrorForm;
  protocol: SocketProtocol;
  server: WebSocketServer;
  sockets: OpenSockets;
  memory: MemoryBudget;
  running: RunningRequests;
  events: SocketEvents;
  /** Authenticates the upgrade and counts it. */
  enter(entry: EntryRequest): Leave | Promise<Leave>;
  /** Rejects if the key of a socket has ended. */
  checkKey(request: IncomingMessage): Promise<Caller | undefined>;
}

/** Opens a socket, or refuses it as any request of its API is refused. */
export async function openSocket(
  context: TrackedRequest,
  upgrade: Upgrade,
  options: SocketRouteOptions,
): Promise<RelayOutcome> {
  const signal = options.running.signalOf(context.request);
  const entered = new RelayedRequest(context, signal);
  let giveBack: (() => void) | undefined;
  try {
    checkHandshake(context.request);
    // An open socket is no running request: each of its messages may be one.
    (await options.enter(entered))();
    refuseIfLeft(context.request);
    const principal = callerOf(entered);
    giveBack = options.sockets.enter(principal);
    const webSocket = completed(context.request, upgrade, options.server);
    const { expiresAt } = entered;
    void follow(context, { webSocket, upgrade, principal, expiresAt, signal, giveBack }, options);
    return { status: 101 };
  } catch (thrown) {
    giveBack?.();
    return refuse(entered, upgrade, { error: toGatewayError(thrown), errors: options.errors });
  }
}

function callerOf({ principal }: RelayedRequest<TrackedRequest>): Principal {
  if (principal === undefined) throw new TypeError('A socket is opened with a key.');
  return principal;
}

/** Everything that the handshake could fail for was checked, except that the client may have left. */
function completed(request: IncomingMessage, { socket, head }: Upgrade, server: WebSocketServer): WebSocket {
  let found: WebSocket | undefined;
  server.handleUpgrade(request, socket, head, (webSocket) => (found = webSocket));
  if (found === undefined) throw clientLeft();
  return found;
}

interface Handshake {
  webSocket: WebSocket;
  upgrade: Upgrade;
  principal: Principal;
  /** When its key expires. */
  expiresAt: string | undefined;
  signal: AbortSignal;
  giveBack(): void;
}

/** Serves an open socket until it is closed. */
async function follow(
  { request, requestId }: TrackedRequest,
  { webSocket, upgrade, principal, expiresAt, signal, giveBack }: Handshake,
  { route, protocol, sockets, memory, events, checkKey }: SocketRouteOptions,
): Promise<void> {
  const holder = principal.accountId;
  const socket = new ClientSocket({
    webSocket,
    connection: upgrade.socket,
    reserve: () => memory.reserve({ declaredBytes: 0, holder, largest: unbounded }),
  });
  const startedAt = performance.now();
  const session = protocol.open({ socket, request, principal, signal });
  socket.serve(session);
  sockets.keep({ socket, session, principal, expiresAt, checkKey: () => checkKey(request) });
  events.opened(route);
  webSocket.on('message', () => events.message(route));
  const closing = await socket.closed;
  giveBack();
  events.closed({ requestId, route, closing, durationMs: performance.now() - startedAt, requests: session.requests() });
}

/** The server of WebSockets has a limit of messages. What is counted here includes what frames need. */
const unbounded = { bytes: Number.POSITIVE_INFINITY };

interface Refusal {
  error: GatewayError;
  errors: ErrorForm;
}

function refuse(
  { context, added }: RelayedRequest<TrackedRequest>,
  upgrade: Upgrade,
  { error, errors }: Refusal,
): RelayOutcome {
  if (upgrade.socket.destroyed) {
    const left = clientLeft(error);
    return { status: left.status, error: left };
  }
  const response = upgradeRefusal(context.request, upgrade);
  for (const [name, value] of Object.entries(added)) response.setHeader(name, value);
  if (error.status === 426) response.setHeader('sec-websocket-version', '13');
  sendError(response, error, { requestId: context.requestId, errors });
  return { status: error.status, error };
}
