import { compositions, namesOf } from '@tallyport/contracts';
import { freePort } from '../../tests/support/probe.ts';

/** The services in the order in which they are stopped: a service stops after the services that call it. */
export const serviceNames = [
  'edge',
  'console-svc',
  'mcp-svc',
  'chat-svc',
  'image-svc',
  'batch-svc',
  'catalog-svc',
  'auth-svc',
  'ledger-svc',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** The programs that run, in the order in which they are stopped: services, or several of them in one process. */
export const programNames = [...namesOf(compositions), ...serviceNames] as const;

export type ProgramName = (typeof programNames)[number];

/** The services that the program runs. */
export const servicesIn = (program: ProgramName): readonly ServiceName[] =>
  program === 'compact' ? compositions[program] : [program];

/** URLs of the real servers. */
export interface ServerUrls {
  NATS_URL: string;
  REDIS_URL: string;
  DATABASE_URL: string;
}

export interface Shared {
  /** Port of the first edge. */
  port: number;
  servers: ServerUrls;
  apiKey: string;
  sandboxUrl: string;
  /** Where edge looks for console-svc. */
  consolePorts: readonly number[];
  /** Encryption key, shared by all replicas of auth-svc. */
  secretsKey: string;
  /** Authenticates edge to console-svc. */
  internalSecret: string;
}

interface ReplicaSettings {
  adminPort: number;
  /** Where it serves HTTP other than the admin endpoints. */
  url: string;
  environment: Record<string, string>;
}

/** The settings of one replica: the shared ones, and its own ports. */
export async function replicaSettings(program: ProgramName, index: number, shared: Shared): Promise<ReplicaSettings> {
  const adminPort = await freePort();
  const port = await portOf(program, index, shared);
  const services = servicesIn(program);
  return {
    adminPort,
    url: `http://127.0.0.1:${port}`,
    environment: {
      ...shared.servers,
      ADMIN_PORT: String(adminPort),
      BASE_URL: `http://127.0.0.1:${shared.port}`,
      BOOTSTRAP_API_KEY: shared.apiKey,
      CONSOLE_PORT: String(services.includes('console-svc') ? port : 0),
      CONSOLE_URL: addressesOf(shared.consolePorts),
      INTERNAL_SECRET: shared.internalSecret,
      PORT: String(services.includes('edge') ? port : 0),
      SANDBOX: 'on',
      SANDBOX_BASE_URL: shared.sandboxUrl,
      SECRETS_KEY: shared.secretsKey,
      SERVICES: services.join(','),
    },
  };
}

const addressesOf = (ports: readonly number[]): string => ports.map((port) => `http://127.0.0.1:${port}`).join(',');

/** Replicas of console-svc use the ports that edge is configured with; once these are taken, a free port. */
async function portOf(program: ProgramName, index: number, shared: Shared): Promise<number> {
  const configured: Partial<Record<ProgramName, readonly number[]>> = {
    'console-svc': shared.consolePorts,
    compact: [shared.port],
    edge: [shared.port],
  };
  return configured[program]?.[index] ?? (await freePort());
}

/**
 * The variables a program needs to run, without the developer's keys and addresses, which would change what is tested.
 */
export function neutralEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, LANG, TZ, TMPDIR, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS } = process.env;
  return { PATH, HOME, LANG, TZ, TMPDIR, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS };
}
