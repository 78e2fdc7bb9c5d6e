import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerControl, isControl } from './control.ts';
import { createArmedFaults, type ArmedFaults } from './faults/armed.ts';
import { createPacer } from './pacer.ts';
import { createRecorder, type Received } from './recorder.ts';
import { createScripts, type Scripts } from './scripts/scripts.ts';
import type { FamilySettings } from './model/settings.ts';
import type { VendorRoute } from './route.ts';
import { createHandler } from './server.ts';
import { waitFor, type Truthy } from './wait-for.ts';

/** The routes of one vendor family. */
export type Family = (settings: FamilySettings) => readonly VendorRoute[];

export interface SimulationOptions {
  /** Defaults to 0: the system chooses a port. */
  port?: number;
  host?: string;
  /** The same seed and question give the same answer. */
  seed?: number;
  /** Pace of streams; 0: as fast as the socket accepts. */
  chunksPerSecond?: number;
  /** Accepted keys; if empty, any key is accepted. */
  apiKeys?: readonly string[];
  /** The clock of scripts, in milliseconds. Defaults to real time. */
  clock?: () => number;
  maxBodyBytes?: number;
  /** Host names besides `localhost` for the control pages. */
  controlHosts?: readonly string[];
  /** The address of the gateway, for the gallery page. */
  gatewayUrl?: () => string | undefined;
  /** How many requests are kept. */
  maxRecorded?: number;
  /** How much of each request's body is kept. */
  maxRecordedBodyBytes?: number;
  /** Labels each request by its body, of which the recorder may not keep all. */
  labelOf?: (body: string) => string | undefined;
}

export interface Simulator {
  readonly url: string;
  /** The base URL of this provider for clients. */
  baseUrl(provider?: string): string;
  /** The newest requests, oldest first. */
  readonly requests: readonly Received[];
  /** Requests whose client disconnected before the end of the answer; `endedAt` is the time. */
  readonly aborted: readonly Received[];
  readonly faults: ArmedFaults;
  /** Behaviour of providers over time. */
  readonly scripts: Scripts;
  readonly connections: { open: number; total: number };
  /**
   * Resolves with the first truthy result of `look`, which is called now and after every change. Rejects at the
   * deadline with a list of received requests.
   */
  waitFor<Value>(look: (simulator: Simulator) => Value, deadlineMs?: number): Promise<Truthy<Value>>;
  /** Clears faults, scripts and requests; answers in progress continue. */
  reset(): void;
  /** Stops at once and closes open answers. */
  close(): Promise<void>;
}

interface SimulatedSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket at once. */
  close(): void;
}

interface Simulation {
  /** The first route that matches answers. */
  readonly families: readonly Family[];
  /** The path of a provider's base URL; without a name, that of the default provider. */
  readonly basePathOf: (provider?: string) => string;
  /** Answers upgrades; without it, they are refused. */
  readonly sockets?: SimulatedSockets;
  /** Called with each request when its answer is complete or broken off. */
  readonly onEnded?: (received: Received) => void;
}

/** Starts the simulated providers on one port. Rejects if the port is not available. */
export async function startSimulation(
  { families, basePathOf, sockets, onEnded }: Simulation,
  options: SimulationOptions = {},
): Promise<Simulator> {
  const { port = 0, host = '127.0.0.1', seed = 1, chunksPerSecond = 30, apiKeys = [] } = options;
  const armed = createArmedFaults();
  const pacer = createPacer();
  const limits = {
    requests: options.maxRecorded ?? 1_000,
    bodyBytes: options.maxRecordedBodyBytes ?? 256 * 1024,
    totalBodyBytes: 64 * 1024 * 1024,
  };
  const recorder = createRecorder({ limits, labelOf: options.labelOf, onEnded });
  const now = () => Math.floor(Date.now() / 1000);
  const settings = { seed, chunksPerSecond, apiKeys, now };
  const routes = families.flatMap((routesOf) => routesOf(settings));
  const maxBodyBytes = options.maxBodyBytes ?? 64 * 1024 * 1024;
  const scripts = createScripts({ seed, clock: options.clock ?? (() => performance.now()) });
  const handle = createHandler({ routes, armed, scripts, recorder, pacer, maxBodyBytes });
  const connections = { open: 0, total: 0 };
  const { gatewayUrl = () => undefined, controlHosts } = options;
  const controlParts = { armed, scripts, recorder, gatewayUrl, controlHosts, connections: () => connections };
  const server = createServer((request, response) => {
    if (!isControl(request.url)) return handle(request, response);
    answerControl(request, response, controlParts).catch(() => response.destroy());
  });
  const closeSockets = acceptSockets(server, sockets);
  countConnections(server, connections, recorder.touch);
  const url = await listen(server, { port, host });

  const simulator: Simulator = {
    url,
    baseUrl: (provider) => url + basePathOf(provider),
    get requests() {
      return recorder.requests;
    },
    get aborted() {
      return recorder.requests.filter(({ outcome }) => outcome === 'aborted');
    },
    faults: armed,
    scripts,
    connections,
    waitFor: (look, deadlineMs = 2_000) => waitFor(recorder, () => look(simulator), deadlineMs),
    reset: () => {
      armed.clear();
      scripts.clear();
      recorder.clear();
    },
    close() {
      closeSockets();
      return close(server, pacer);
    },
  };
  return simulator;
}

/** Without sockets, an upgrade is an ordinary request. */
function acceptSockets(server: Server, sockets: SimulatedSockets | undefined): () => void {
  if (sockets === undefined) return () => undefined;
  server.on('upgrade', (...[request, socket, head]: Parameters<SimulatedSockets['upgrade']>) =>
    sockets.upgrade(request, socket, head),
  );
  return () => sockets.close();
}

function countConnections(server: Server, connections: { open: number; total: number }, changed: () => void): void {
  server.on('connection', (socket) => {
    connections.open += 1;
    connections.total += 1;
    socket.once('close', () => {
      connections.open -= 1;
      changed();
    });
  });
}

async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<string> {
  // Longer than any client keeps an idle connection, so that the server never closes one that a client is about to use.
  server.keepAliveTimeout = 120_000;
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
}

async function close(server: Server, pacer: { close: () => void }): Promise<void> {
  pacer.close();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
