import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { answerControl, isControl } from './control.ts';
import { createArmedFaults, type ArmedFaults } from './faults/armed.ts';
import { createPacer } from './pacer.ts';
import { createRecorder, type Received } from './recorder.ts';
import { createScripts, type Scripts } from './scripts/scripts.ts';
import type { FamilySettings } from './model/settings.ts';
import type { Route } from './route.ts';
import { createHandler } from './server.ts';
import { waitFor, type Truthy } from './wait-for.ts';

/** The routes of one vendor family. */
export type Family = (settings: FamilySettings) => readonly Route[];

export interface SimulationOptions {
  /** 0, the default: the system chooses. */
  port?: number;
  host?: string;
  /** The same seed and question give the same answer. */
  seed?: number;
  /** Pace of streams; 0: as fast as the socket takes it. */
  chunksPerSecond?: number;
  /** Keys that are let in; none: every key is. */
  apiKeys?: readonly string[];
  /** Milliseconds, what scripts go by; absent: the time that really passes. */
  clock?: () => number;
  maxBodyBytes?: number;
  /** Where the gateway is that asks us: the gallery asks it for images. */
  gatewayUrl?: () => string | undefined;
  /** How many requests are remembered. */
  maxRecorded?: number;
  /** How much of each request's body is remembered. */
  maxRecordedBodyBytes?: number;
}

export interface Simulator {
  readonly url: string;
  /** What a client takes as base URL of this provider. */
  baseUrl(provider?: string): string;
  /** The newest requests, oldest first. */
  readonly requests: readonly Received[];
  /** Requests whose client disconnected before the answer's end; `endedAt` says when. */
  readonly aborted: readonly Received[];
  readonly faults: ArmedFaults;
  /** How providers behave over time. */
  readonly scripts: Scripts;
  readonly connections: { open: number; total: number };
  /** The first truthy value `look` gives, now or after a later change. Rejects at the deadline and lists what was received. */
  waitFor<Value>(look: (simulator: Simulator) => Value, deadlineMs?: number): Promise<Truthy<Value>>;
  /** Forgets faults, scripts and requests; answers in progress continue. */
  reset(): void;
  /** Ends at once, open answers with it. */
  close(): Promise<void>;
}

export interface Simulation {
  /** The first route that fits answers. */
  readonly families: readonly Family[];
  /** The path of a provider's base URL; of the usual one where none is named. */
  readonly basePathOf: (provider?: string) => string;
}

/** Starts the simulated providers on one port. Rejects when the port cannot be had. */
export async function startSimulation(
  { families, basePathOf }: Simulation,
  options: SimulationOptions = {},
): Promise<Simulator> {
  const { port = 0, host = '127.0.0.1', seed = 1, chunksPerSecond = 30, apiKeys = [] } = options;
  const armed = createArmedFaults();
  const pacer = createPacer();
  const recorder = createRecorder({
    requests: options.maxRecorded ?? 1_000,
    bodyBytes: options.maxRecordedBodyBytes ?? 256 * 1024,
    totalBodyBytes: 64 * 1024 * 1024,
  });
  const now = () => Math.floor(Date.now() / 1000);
  const settings = { seed, chunksPerSecond, apiKeys, now };
  const routes = families.flatMap((routesOf) => routesOf(settings));
  const maxBodyBytes = options.maxBodyBytes ?? 64 * 1024 * 1024;
  const scripts = createScripts({ seed, clock: options.clock ?? (() => performance.now()) });
  const handle = createHandler({ routes, armed, scripts, recorder, pacer, maxBodyBytes });
  const connections = { open: 0, total: 0 };
  const { gatewayUrl = () => undefined } = options;
  const controlParts = { armed, scripts, recorder, gatewayUrl, connections: () => connections };
  const server = createServer((request, response) => {
    if (!isControl(request.url)) return handle(request, response);
    answerControl(request, response, controlParts).catch(() => response.destroy());
  });
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
    close: () => close(server, pacer),
  };
  return simulator;
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
  // Longer than any client keeps an idle connection, so that the server never closes one that is about to be used.
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
