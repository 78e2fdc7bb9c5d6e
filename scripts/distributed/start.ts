import { hash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { freePort, waitUntil } from '../../tests/support/probe.ts';
import { ownEnvironment } from '../launch/node-flags.mjs';
import { startProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';
import { neutralEnvironment, replicaSettings, serviceNames } from './settings.ts';
import type { ServerUrls, ServiceName, Shared } from './settings.ts';
import { startSandboxProcess } from './sandbox-process.ts';

export type { ServiceProcess } from './service-process.ts';
export type { ServerUrls, ServiceName } from './settings.ts';

export interface DistributedOptions {
  servers: ServerUrls;
  /** How many processes of a service; one when not named, none when 0. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Of the first edge; a free one when absent. */
  port?: number;
  /** At least 16 characters; made when absent. */
  apiKey?: string;
  /** For every service, over what is set here. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** For the replicas of one service, over everything else. */
  serviceEnvironment?: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;
  sandboxArgs?: readonly string[];
  /** Another upstream in the sandbox's place. */
  sandboxUrl?: string;
  /** For Node, before the program: profiling and the like. */
  nodeArgs?: readonly string[];
  /** Working directory of the processes; a `.env` there is read. */
  directory?: string;
  /** What the processes say. */
  onLine?(name: string, line: string): void;
  onDeath?(name: string, how: string): void;
}

/** One process of a service, and where it is reached. */
export interface RunningReplica {
  /** Among the replicas of its service, those that ended counted. */
  index: number;
  adminUrl: string;
  /** Of edge the API; of auth-svc and mcp-svc what edge hands on to them. The others are on the bus only. */
  url: string;
}

/** A running set of processes. Stop it, or it stays until this process ends. */
export interface Distributed {
  /** Of the first edge. */
  baseUrl: string;
  /** Of every edge replica. */
  baseUrls: readonly string[];
  apiKey: string;
  sandboxUrl: string;
  /** Where each replica's /livez, /readyz and /metrics are. */
  adminUrls: Readonly<Record<ServiceName, readonly string[]>>;
  /** Of the replicas that run now. */
  pids(service: ServiceName): number[];
  /** All that were ever started. */
  replicas(service: ServiceName): readonly RunningReplica[];
  /** One more, resolved when it is ready. Edges learn of it only through an address that stands for all. */
  add(service: ServiceName): Promise<RunningReplica>;
  /** Tells it to end and resolves with how it did: `ended with exit code 0`. */
  drain(service: ServiceName, options: { index: number; deadlineMs: number }): Promise<string | undefined>;
  /** Resolves when the process is gone. */
  kill(service: ServiceName, options?: { index?: number; signal?: NodeJS.Signals }): Promise<void>;
  /** Ends it in order when it runs, starts it again, and resolves when it is ready. */
  restart(service: ServiceName, options?: { index?: number }): Promise<void>;
  stop(): Promise<void>;
}

interface Replica extends RunningReplica {
  service: ServiceName;
  process: ServiceProcess;
}

const readyMs = 60_000;
/** Longer than a service takes by itself to give up its running requests. */
const stopMs = 35_000;

/** Starts every service as its own process on ports chosen here, and resolves when all are ready. Throws with the last words of one that is not. */
export async function startDistributed(options: DistributedOptions): Promise<Distributed> {
  const sandbox = options.sandboxUrl ? undefined : await startSandboxProcess(options);
  const replicas: Replica[] = [];
  const stop = async () => {
    for (const service of serviceNames) {
      const own = replicas.filter((replica) => replica.service === service);
      await Promise.all(own.map(({ process: running }) => running.end('SIGTERM', stopMs)));
    }
    await sandbox?.process.end('SIGTERM', stopMs);
  };
  const shared = await sharedSettings(options, sandbox?.url);
  try {
    for (const service of serviceNames.toReversed()) {
      for (let index = 0; index < (options.replicas?.[service] ?? 1); index++) {
        replicas.push(await startReplica({ service, index, shared, options }));
      }
    }
    await Promise.all(replicas.map(untilReady));
  } catch (error) {
    await stop();
    throw error;
  }
  return describe({ replicas, shared, options, stop });
}

async function sharedSettings(options: DistributedOptions, sandboxUrl: string | undefined): Promise<Shared> {
  return {
    port: options.port ?? (await freePort()),
    servers: options.servers,
    apiKey: options.apiKey ?? `test-${randomBytes(18).toString('hex')}`,
    sandboxUrl: options.sandboxUrl ?? sandboxUrl ?? '',
    // One at least: edge is told of an address, whether or not anybody is there.
    mcpPorts: await freePorts(Math.max(1, options.replicas?.['mcp-svc'] ?? 1)),
    authPorts: await freePorts(Math.max(1, options.replicas?.['auth-svc'] ?? 1)),
    // The same for a database at every start, so that the next one can read what this one wrote.
    secretsKey: hash('sha256', options.servers.DATABASE_URL, 'base64'),
    internalSecret: randomBytes(32).toString('hex'),
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

interface ReplicaOptions {
  service: ServiceName;
  index: number;
  shared: Shared;
  options: DistributedOptions;
}

async function startReplica({ service, index, shared, options }: ReplicaOptions): Promise<Replica> {
  const { adminPort, url, environment } = await replicaSettings(service, index, shared);
  const name = index === 0 ? service : `${service}-${index + 1}`;
  const running = startProcess({
    name,
    main: `services/${service}/src/main.ts`,
    nodeArgs: options.nodeArgs,
    environment: {
      ...neutralEnvironment(),
      ...ownEnvironmentOf(service),
      ...environment,
      ...options.environment,
      ...options.serviceEnvironment?.[service],
    },
    directory: options.directory ?? tmpdir(),
    onLine: (line) => options.onLine?.(name, line),
    onDeath: (how) => options.onDeath?.(name, how),
  });
  return { service, index, process: running, adminUrl: `http://127.0.0.1:${adminPort}`, url };
}

const ownEnvironmentOf = (service: ServiceName): Readonly<Record<string, string>> =>
  service === 'image-svc' ? ownEnvironment[service] : {};

async function untilReady({ process: running, adminUrl }: Replica): Promise<void> {
  const isReady = async () => {
    if (running.ended) throw new Error(`${running.name} ${running.ended} before it was ready.`);
    return answersOk(`${adminUrl}/readyz`);
  };
  await waitUntil(`${running.name} to be ready`, isReady, { deadlineMs: readyMs, everyMs: 50 }).catch((error) => {
    throw new Error(`${error.message}\n${running.lastLines()}`, { cause: error });
  });
}

function answersOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status === 200;
    },
    () => false,
  );
}

interface Started {
  replicas: Replica[];
  shared: Shared;
  options: DistributedOptions;
  stop(): Promise<void>;
}

function describe({ replicas, shared, options, stop }: Started): Distributed {
  const of = (service: ServiceName) => replicas.filter((replica) => replica.service === service);
  const pick = (service: ServiceName, index = 0) => {
    const replica = of(service)[index];
    if (!replica) throw new Error(`There is no replica ${index} of ${service}.`);
    return replica;
  };
  const baseUrls = of('edge').map(({ url }) => url);
  return {
    baseUrl: baseUrls[0] ?? '',
    baseUrls,
    apiKey: shared.apiKey,
    sandboxUrl: shared.sandboxUrl,
    adminUrls: adminUrlsOf(of),
    pids: (service) => of(service).flatMap(({ process: { pid, ended } }) => (pid && !ended ? [pid] : [])),
    replicas: of,
    async add(service) {
      const replica = await startReplica({ service, index: of(service).length, shared, options });
      replicas.push(replica);
      await untilReady(replica);
      return replica;
    },
    async drain(service, { index, deadlineMs }) {
      const { process: running } = pick(service, index);
      await running.end('SIGTERM', deadlineMs);
      return running.ended;
    },
    kill: (service, { index, signal = 'SIGKILL' } = {}) => pick(service, index).process.end(signal, stopMs),
    restart: async (service, { index } = {}) => {
      const replica = pick(service, index);
      await replica.process.end('SIGTERM', stopMs);
      replica.process.start();
      await untilReady(replica);
    },
    stop,
  };
}

function adminUrlsOf(of: (service: ServiceName) => Replica[]): Distributed['adminUrls'] {
  const urls = (service: ServiceName) => of(service).map(({ adminUrl }) => adminUrl);
  return {
    'auth-svc': urls('auth-svc'),
    'catalog-svc': urls('catalog-svc'),
    'chat-svc': urls('chat-svc'),
    edge: urls('edge'),
    'image-svc': urls('image-svc'),
    'mcp-svc': urls('mcp-svc'),
  };
}
