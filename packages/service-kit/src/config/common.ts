import { z } from 'zod';
import { traceConfig } from './trace-config.ts';
import { defineConfig } from './setting.ts';
import {
  addressesWithScheme,
  addressWithScheme,
  httpAddress,
  list,
  milliseconds,
  oneOf,
  port,
  redisLocation,
  wholeNumber,
} from './shapes.ts';

/** Settings of every process. */
export const processConfig = defineConfig({
  LOG_LEVEL: {
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    description: 'Log level: trace, debug, info, warn, error, fatal or silent.',
  },
  ADMIN_HOST: {
    schema: z.string(),
    default: '127.0.0.1',
    description: 'Address on which /livez, /readyz and /metrics listen. Use 0.0.0.0 in a container.',
  },
  ADMIN_PORT: {
    schema: port,
    default: '4001',
    description: 'Port of /livez, /readyz and /metrics. 0 lets the system choose.',
    contradiction: ({ PORT, ADMIN_PORT }) =>
      PORT === ADMIN_PORT && PORT !== 0 ? 'must differ from PORT, because they are two servers' : undefined,
  },
  SHUTDOWN_TIMEOUT_MS: {
    schema: milliseconds,
    default: '30000',
    description: 'How long running requests may take to finish after SIGTERM, in milliseconds.',
  },
  ...traceConfig,
});

/** Storage and bus. Each setting that is present replaces an embedded part by a real server. */
export const stateConfig = defineConfig({
  DATA_DIR: {
    schema: z.string(),
    default: './data',
    description: 'Folder for the embedded database and the key created at the first start.',
  },
  NATS_URL: {
    schema: addressesWithScheme('nats', 'tls').optional(),
    secret: true,
    example: 'nats://127.0.0.1:4222',
    description:
      'The NATS server, or several separated by commas, with user and password or a token if required. Without it all services share one process.',
  },
  JOURNAL_REPLICAS: {
    schema: wholeNumber(1, 5).optional(),
    example: '3',
    description:
      'Copies of the usage journal in a NATS cluster. By default a new journal has one, and an existing one is not changed.',
  },
  JOURNAL_MAX_BYTES: {
    schema: wholeNumber(65_536, 2 ** 50).optional(),
    example: '17179869184',
    description:
      'Size of the usage journal, which holds about 1,300 bytes per request while Postgres is unavailable. Records that would leave less than 64 MiB of it free, or half of a small journal, go to USAGE_SPILL_DIR. By default a new journal has 4 GiB, and an existing one is not changed.',
  },
  REDIS_URL: {
    schema: redisLocation.optional(),
    secret: true,
    example: 'redis://127.0.0.1:6379',
    description:
      'The Redis server (rediss:// with TLS), its Sentinels as redis+sentinel://:password@host:26379,host:26379/primary, or nodes of a Redis Cluster as redis+cluster://:password@host:6379,host:6379. Without it, limits and caches are kept in memory.',
  },
  CACHE_REDIS_URL: {
    schema: redisLocation.optional(),
    secret: true,
    example: 'redis://127.0.0.1:6380',
    description:
      'A separate Redis for cached answers only, which may evict them (maxmemory-policy allkeys-lru). Without it they are kept in REDIS_URL.',
  },
  DATABASE_URL: {
    schema: addressWithScheme('postgres', 'postgresql').optional(),
    secret: true,
    example: 'postgres://tallyport:password@127.0.0.1:5432/tallyport',
    description: 'The Postgres database. Without it, an embedded database in DATA_DIR is used.',
  },
});

/** Settings of the public address. */
export const publicConfig = defineConfig({
  PORT: { schema: port, default: '4000', description: 'Port of the API. 0 lets the system choose.' },
  HOST: {
    schema: z.string(),
    default: '127.0.0.1',
    description: 'Address on which the API listens. 0.0.0.0 makes it reachable from other machines.',
  },
  BASE_URL: {
    schema: httpAddress.optional(),
    example: 'https://gateway.example.com',
    description: 'URL under which clients reach the API, if it is not http://HOST:PORT.',
  },
  MAX_BODY_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '52428800',
    description: 'Largest request body, in bytes.',
  },
});

export const bootstrapConfig = defineConfig({
  BOOTSTRAP_API_KEY: {
    schema: z.string().min(16, 'must have at least 16 characters').optional(),
    secret: true,
    description: 'An API key of your own choice that always works, for scripted set-ups. At least 16 characters.',
  },
});

/** Settings shared by edge and console-svc, to which it hands HTTP requests. */
export const internalConfig = defineConfig({
  INTERNAL_SECRET: {
    schema: list.pipe(z.array(z.string().min(32, 'must have at least 32 characters')).min(1, 'must not be empty')),
    secret: true,
    description:
      'Secret with which edge signs for console-svc where a request comes from: the same for both, at least 32 characters. To rotate it, list several separated by commas; the first one signs.',
  },
});

/** Edge refuses larger bodies before they reach mcp-svc. */
export const mcpBodyConfig = defineConfig({
  MCP_MAX_BODY_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '20971520',
    description: 'Largest MCP request, in bytes.',
  },
});

/** Edge refuses larger uploads before they reach batch-svc. */
export const fileBodyConfig = defineConfig({
  FILES_MAX_BYTES: {
    // A bucket takes 10,000 parts of 5 MiB.
    schema: wholeNumber(1024, 48 * 1024 ** 3),
    default: '536870912',
    description: 'Largest file that clients may store with /v1/files, in bytes. Files are not kept in memory.',
  },
});

/** Settings of the operator's own configuration file. */
export const operatorConfig = defineConfig({
  TALLYPORT_CONFIG: {
    schema: z.string().optional(),
    example: './tallyport.yaml',
    description:
      'The file with your own models, prices and providers. By default ./tallyport.yaml is read if it exists.',
  },
});

/** Settings of the simulated providers. */
export const sandboxConfig = defineConfig({
  SANDBOX: {
    schema: oneOf(['auto', 'on', 'off']),
    default: 'auto',
    description: 'Simulated providers: on, off, or auto (on when no provider key is set).',
  },
  SANDBOX_BASE_URL: {
    schema: httpAddress.optional(),
    example: 'http://127.0.0.1:4010',
    description: 'Address of the simulated providers if they run in a separate process.',
  },
});

const perMinute = wholeNumber(0, 1_000_000_000);

/** Limits that edge and, for the calls of its tools, mcp-svc apply to the same counts. */
export const requestLimitsConfig = defineConfig({
  LIMIT_CHAT_PER_MINUTE: {
    schema: perMinute,
    default: '600',
    description:
      'Chat requests per minute of one key, and of one account. 0 means no limit; single keys and accounts can have other limits.',
  },
  LIMIT_IMAGES_PER_MINUTE: { schema: perMinute, default: '300', description: 'The same for image requests.' },
  LIMIT_MODELS_PER_MINUTE: {
    schema: perMinute,
    default: '1200',
    description: 'The same for lists of models, providers and routes. Without a key, per address and edge process.',
  },
  LIMIT_MCP_PER_MINUTE: {
    schema: perMinute,
    default: '600',
    description: 'Requests to /mcp per minute and account. 0 disables the limit; accounts can differ.',
  },
});

/** Limits that edge applies, and that the dashboard shows as defaults. */
export const accountLimitsConfig = defineConfig({
  LIMIT_CONCURRENT_REQUESTS: {
    schema: perMinute,
    default: '0',
    description: 'Concurrent requests per account. 0 disables the limit; accounts can differ.',
  },
});

/** The limit that services with a price per token apply, and that the dashboard shows as a default. */
export const tokenLimitConfig = defineConfig({
  LIMIT_TOKENS_PER_MINUTE: {
    schema: perMinute,
    default: '0',
    description:
      'Tokens per minute of one key, and of one account, for prompts and answers together. 0 means no limit. Keys and accounts can have their own limits.',
  },
});

/** All settings with the same meaning in every service. A service may also use only the groups that it reads. */
export const commonConfig = defineConfig({
  ...publicConfig,
  ...processConfig,
  ...stateConfig,
  ...bootstrapConfig,
  ...sandboxConfig,
});
