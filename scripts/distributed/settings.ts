import { freePort } from '../../tests/support/probe.ts';

/** The services, in the order in which they are told to stop: who is asked by others ends after them. */
export const serviceNames = ['edge', 'mcp-svc', 'chat-svc', 'image-svc', 'catalog-svc', 'auth-svc'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Where the real servers are. */
export interface ServerUrls {
  NATS_URL: string;
  REDIS_URL: string;
  DATABASE_URL: string;
}

export interface Shared {
  /** Of the first edge. */
  port: number;
  servers: ServerUrls;
  apiKey: string;
  sandboxUrl: string;
  /** One per replica of mcp-svc. */
  mcpPorts: readonly number[];
  /** One per replica of auth-svc. */
  authPorts: readonly number[];
  /** What all replicas of auth-svc encrypt with. */
  secretsKey: string;
  /** Edge and mcp-svc know each other by it. */
  internalSecret: string;
}

export interface ReplicaSettings {
  adminPort: number;
  /** Where it serves HTTP besides. */
  url: string;
  environment: Record<string, string>;
}

/** What one replica is told beyond what all are. */
export async function replicaSettings(service: ServiceName, index: number, shared: Shared): Promise<ReplicaSettings> {
  const adminPort = await freePort();
  const port = await portOf(service, index, shared);
  return {
    adminPort,
    url: `http://127.0.0.1:${port}`,
    environment: {
      ...shared.servers,
      ADMIN_PORT: String(adminPort),
      AUTH_PORT: String(service === 'auth-svc' ? port : 0),
      AUTH_URL: shared.authPorts.map((authPort) => `http://127.0.0.1:${authPort}`).join(','),
      BASE_URL: `http://127.0.0.1:${shared.port}`,
      BOOTSTRAP_API_KEY: shared.apiKey,
      INTERNAL_SECRET: shared.internalSecret,
      MCP_PORT: String(service === 'mcp-svc' ? port : 0),
      MCP_URL: shared.mcpPorts.map((mcpPort) => `http://127.0.0.1:${mcpPort}`).join(','),
      PORT: String(service === 'edge' ? port : 0),
      SANDBOX: 'on',
      SANDBOX_BASE_URL: shared.sandboxUrl,
      SECRETS_KEY: shared.secretsKey,
    },
  };
}

/** Those that edge was told of, for the replicas the system starts with. */
async function portOf(service: ServiceName, index: number, { port, authPorts, mcpPorts }: Shared): Promise<number> {
  const told: Partial<Record<ServiceName, readonly number[]>> = {
    'auth-svc': authPorts,
    edge: [port],
    'mcp-svc': mcpPorts,
  };
  return told[service]?.[index] ?? (await freePort());
}

/** Of a developer's own environment only what a program needs to run: keys and addresses would change what is tested. */
export function neutralEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, LANG, TZ, TMPDIR, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS } = process.env;
  return { PATH, HOME, LANG, TZ, TMPDIR, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS };
}
