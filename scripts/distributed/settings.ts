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
  simulatorUrl: string;
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
  /** Of the API; used by edge only. */
  port: number;
  environment: Record<string, string>;
}

/** What one replica is told beyond what all are. */
export async function replicaSettings(service: ServiceName, index: number, shared: Shared): Promise<ReplicaSettings> {
  const adminPort = await freePort();
  const port = index === 0 ? shared.port : await freePort();
  return {
    adminPort,
    port,
    environment: {
      ...shared.servers,
      ADMIN_PORT: String(adminPort),
      AUTH_PORT: String(service === 'auth-svc' ? shared.authPorts[index] : 0),
      AUTH_URL: shared.authPorts.map((authPort) => `http://127.0.0.1:${authPort}`).join(','),
      BASE_URL: `http://127.0.0.1:${shared.port}`,
      BOOTSTRAP_API_KEY: shared.apiKey,
      INTERNAL_SECRET: shared.internalSecret,
      MCP_PORT: String(service === 'mcp-svc' ? shared.mcpPorts[index] : 0),
      MCP_URL: shared.mcpPorts.map((mcpPort) => `http://127.0.0.1:${mcpPort}`).join(','),
      PORT: String(port),
      SANDBOX: 'on',
      SANDBOX_BASE_URL: shared.simulatorUrl,
      SECRETS_KEY: shared.secretsKey,
    },
  };
}

/** Of a developer's own environment only what a program needs to run: keys and addresses would change what is tested. */
export function neutralEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, LANG, TZ, TMPDIR, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS } = process.env;
  return { PATH, HOME, LANG, TZ, TMPDIR, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS };
}
