import { hash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersOk, freePort, waitUntil } from '../../tests/support/probe.ts';
import { ownEnvironment, serviceEnvironment } from '../launch/node-flags.mjs';
import { startProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';
import { byName } from '@tallyport/contracts';
import { neutralEnvironment, programNames, replicaSettings, servicesIn } from './settings.ts';
import type { ProgramName, ServerUrls, Shared } from './settings.ts';
import { startSandboxProcess } from './sandbox-process.ts';

export type { ServerUrls, ServiceName } from './settings.ts';

export interface DistributedOptions {
  servers: ServerUrls;
  /** Processes per program. Default: none of `compact` and batch-svc; of the others 1, or none if `compact` runs the service. */
  replicas?: Partial<Record<ProgramName, number>>;
  /** How many addresses of console-svc edge knows; later replicas listen on them. Default: one per replica. */
  consoleAddresses?: number;
  /** Port of the first edge. Default: a free port. */
  port?: number;
  /** At least 16 characters. Default: a random key. */
  apiKey?: string;
  /** Settings of every service; overrides the ones chosen here. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Settings of one program's replicas; overrides all others. */
  serviceEnvironment?: Partial<Record<ProgramName, Readonly<Record<string, string>>>>;
  sandboxArgs?: readonly string[];
  /** An upstream to use instead of the sandbox. */
  sandboxUrl?: string;
  /** Flags for Node itself, for example for profiling. */
  nodeArgs?: readonly string[];
  /** A folder with the services as images have them (`deploy/image/copy-package.mjs`). Default: the sources. */
  image?: string;
  /** Working directory of the processes, where a `.env` is read. */
  directory?: string;
  /** Receives each line the processes print. */
  onLine?(name: string, line: string): void;
  onDeath?(name: string, how: string): void;
}

/** One process of a service, with its URLs. */
export interface RunningReplica {
  /** Position among all replicas of the service ever started, including those that ended. */
  index: number;
  adminUrl: string;
  /**
   * Edge: the API. console-svc: the HTTP server of the dashboard. The other services are on the bus only.
   */
  url: string;
}

/** A running set of processes. Without a call of `stop` it runs until this process ends. */
export interface Distributed {
  /** URL of the first edge. */
  baseUrl: string;
  /** URLs of all edge replicas. */
  baseUrls: readonly string[];
  apiKey: string;
  sandboxUrl: string;
  /** Base URLs of each replica's /livez, /readyz and /metrics. */
  adminUrls: Readonly<Record<ProgramName, readonly string[]>>;
  /** Process ids of the replicas that run now. */
  pids(service: ProgramName): number[];
  /** All replicas ever started. */
  replicas(service: ProgramName): readonly RunningReplica[];
  /**
   * Starts one more replica and resolves when it is ready. Edge reaches one of console-svc only if `consoleAddresses`
   * allows for it, or through an address shared by all replicas.
   */
  add(service: ProgramName): Promise<RunningReplica>;
  /** Sends SIGTERM and resolves with how the process ended: `ended with exit code 0`. */
  drain(service: ProgramName, options: { index: number; deadlineMs: number }): Promise<string | undefined>;
  /** Resolves when the process has ended. */
  kill(service: ProgramName, options?: { index?: number; signal?: NodeJS.Signals }): Promise<void>;
  /** Stops the replica if it runs, starts it again, and resolves when it is ready. */
  restart(service: ProgramName, options?: { index?: number }): Promise<void>;
  stop(): Promise<void>;
}

interface Replica extends RunningReplica {
  service: ProgramName;
  process: ServiceProcess;
}

/** Longer than the time after which a draining service aborts its running requests. */
const stopMs = 35_000;

/**
 * Starts every service as a separate process on free ports and resolves when all are ready. If one does not become
 * ready, stops them all and throws with its last output.
 */
export async function startDistributed(options: DistributedOptions): Promise<Distributed> {
  const sandbox = options.sandboxUrl ? undefined : await startSandboxProcess(options);
  const replicas: Replica[] = [];
  const stop = async () => {
    for (const service of programNames) {
      const own = replicas.filter((replica) => replica.service === service);
      await Promise.all(own.map(({ process: running }) => running.end('SIGTERM', stopMs)));
    }
    await sandbox?.process.end('SIGTERM', stopMs);
  };
  const shared = await sharedSettings(options, sandbox?.url);
  try {
    for (const service of programNames.toReversed()) {
      for (let index = 0; index < replicasOf(service, options); index++) {
        replicas.push(await startReplica({ service, index, shared, options }));
      }
    }
    await Promise.all(replicas.map((replica) => untilReady(replica)));
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
    // At least one: edge needs an address even when no replica listens on it.
    consolePorts: await freePorts(Math.max(1, options.consoleAddresses ?? options.replicas?.['console-svc'] ?? 1)),
    // Derived from the database, so that the next start can decrypt what this one stored.
    secretsKey: hash('sha256', options.servers.DATABASE_URL, 'base64'),
    internalSecret: randomBytes(32).toString('hex'),
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

function replicasOf(service: ProgramName, { replicas = {} }: DistributedOptions): number {
  if (service === 'compact' || service === 'batch-svc') return replicas[service] ?? 0;
  const isInside = (replicas.compact ?? 0) > 0 && servicesIn('compact').some((inside) => inside === service);
  return replicas[service] ?? (isInside ? 0 : 1);
}

interface ReplicaOptions {
  service: ProgramName;
  index: number;
  shared: Shared;
  options: DistributedOptions;
}

async function startReplica({ service, index, shared, options }: ReplicaOptions): Promise<Replica> {
  const { adminPort, url, environment } = await replicaSettings(service, index, shared);
  const name = index === 0 ? service : `${service}-${index + 1}`;
  const running = startProcess({
    name,
    main: mainOf(service, options.image),
    nodeArgs: options.nodeArgs,
    environment: {
      ...neutralEnvironment(),
      ...serviceEnvironment,
      ...(service === 'image-svc' && ownEnvironment[service]),
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

function mainOf(program: ProgramName, image?: string): string {
  const main = `services/${program === 'compact' ? 'all-in-one' : program}/src/main`;
  return image ? join(image, `${main}.mjs`) : `${main}.ts`;
}

async function untilReady({ process: running, adminUrl }: Replica): Promise<void> {
  const isReady = async () => {
    if (running.ended) throw new Error(`${running.name} ${running.ended} before it was ready.`);
    return answersOk(`${adminUrl}/readyz`);
  };
  await waitUntil(`${running.name} to be ready`, isReady, { everyMs: 100 }).catch((error) => {
    throw new Error(`${error.message}\n${running.lastLines()}`, { cause: error });
  });
}

interface Started {
  replicas: Replica[];
  shared: Shared;
  options: DistributedOptions;
  stop(): Promise<void>;
}

function describe({ replicas, shared, options, stop }: Started): Distributed {
  const of = (service: ProgramName) => replicas.filter((replica) => replica.service === service);
  const pick = (service: ProgramName, index = 0) => {
    const replica = of(service)[index];
    if (!replica) throw new Error(`There is no replica ${index} of ${service}.`);
    return replica;
  };
  const baseUrls = [...of('edge'), ...of('compact')].map(({ url }) => url);
  return {
    baseUrl: baseUrls[0] ?? '',
    baseUrls,
    apiKey: shared.apiKey,
    sandboxUrl: shared.sandboxUrl,
    adminUrls: byName(programNames, (service) => of(service).map(({ adminUrl }) => adminUrl)),
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
