import type { Client } from '@tallyport/bus';
import {
  type authService,
  chatErrors,
  endpoints,
  type Endpoint,
  googleSessionErrors,
  openAiSessionErrors,
  type SessionErrors,
  type SocketProtocolName,
} from '@tallyport/contracts';
import type { Kit } from '@tallyport/service-kit';
import { type EdgeConfig, largestBody } from '../config.ts';
import type { Door } from '../door.ts';
import type { MemoryBudget } from '../http/memory-budget.ts';
import type { RelayOptions } from '../relay/relay.ts';
import type { RunningRequests } from '../relay/running-requests.ts';
import type { RelayedRoute } from '../routes.ts';
import type { Tracker } from '../track.ts';
import { createOpenSockets } from './open-sockets.ts';
import type { ClientSecrets } from '../authenticate/client-secrets.ts';
import { realtimeProtocol } from './realtime/realtime-session.ts';
import { responsesProtocol } from './responses/responses-session.ts';
import { socketEvents } from './socket-events.ts';
import { openSocket, type SocketProtocol } from './socket-route.ts';
import type { SocketRoute } from '../http/upgrade.ts';
import { createWebSocketServer } from './web-socket-server.ts';

interface EdgeSocketsTools {
  door: Pick<Door, 'enter' | 'caller'>;
  memory: MemoryBudget;
  running: RunningRequests;
  tracker: Tracker;
  auth: Pick<Client<(typeof authService)['operations']>, 'accountChanged' | 'keyRevoked'>;
  secrets: Pick<ClientSecrets, 'open'>;
  nextId(): string;
}

interface EdgeSockets {
  /** The socket of a route whose requests are relayed with these options. */
  route(route: RelayedRoute, options: RelayOptions): SocketRoute;
  start(): void;
  /** Resolves once every socket is closed, at the deadline at the latest. */
  stop(deadlineMs: number): Promise<void>;
}

/** The sockets of edge: each kind of them is a protocol. */
export function openEdgeSockets(
  kit: Pick<Kit<EdgeConfig>, 'config' | 'log' | 'metrics'>,
  tools: EdgeSocketsTools,
): EdgeSockets {
  const { config } = kit;
  const { door, memory, running, tracker, auth, secrets, nextId } = tools;
  const largest = largestBody(config);
  const events = socketEvents(kit, pathsWithSocket());
  const sockets = createOpenSockets({
    most: config.MAX_SOCKETS,
    mostPerKey: config.MAX_SOCKETS_PER_KEY,
    onFailed: events.failed,
  });
  const server = createWebSocketServer(largest);
  let stops: (() => void)[] = [];

  const sessionsWith =
    (sessionErrors: SessionErrors) =>
    ({ path, countedAs = path, method }: RelayedRoute, options: RelayOptions) =>
      realtimeProtocol({ ...options, ...tracker, secrets, sessionErrors, route: countedAs, method });

  /** What is spoken on the sockets of a route. */
  const protocols: Record<SocketProtocolName, (route: RelayedRoute, options: RelayOptions) => SocketProtocol> = {
    live: sessionsWith(googleSessionErrors),
    realtime: sessionsWith(openAiSessionErrors),
    responses: ({ path, countedAs = path, method }, options) =>
      responsesProtocol({ ...options, ...tracker, largest, route: countedAs, method, nextId }),
  };

  return {
    route(route, options) {
      const { path, countedAs = path, socket: name = 'responses', errors = chatErrors } = route;
      const socketOptions = {
        route: countedAs,
        errors,
        protocol: protocols[name](route, options),
        server,
        sockets,
        memory,
        running,
        events,
        enter: (entry: Parameters<Door['enter']>[0]) => door.enter(entry, openingRoute),
        checkKey: async (request: Parameters<Door['caller']>[0]) => door.caller(request),
      };
      return tracker.trackUpgrade(countedAs, (arrived, upgrade) => openSocket(arrived, upgrade, socketOptions));
    },
    start() {
      const keysChanged = (): void => sockets.keysChanged();
      stops = [
        auth.keyRevoked.subscribe(keysChanged, keysChanged),
        auth.accountChanged.subscribe(({ accountId }) => sockets.keysChanged(accountId)),
      ];
    },
    async stop(deadlineMs) {
      for (const stop of stops.splice(0)) stop();
      await sockets.drain(deadlineMs);
    },
  };
}

/** To open a socket costs nothing, and is counted as a look-up. With it, requests can be paid for and contents be read. */
const openingRoute = { key: 'required', kind: 'models', holdsContent: true } as const;

const pathsWithSocket = (): string[] => {
  const all: readonly Endpoint[] = endpoints;
  return all.flatMap(({ path, socket }) => (socket === undefined ? [] : [path]));
};
