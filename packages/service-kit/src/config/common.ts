import { z } from 'zod';
import { traceConfig } from '../trace/trace-config.ts';
import { defineConfig } from './setting.ts';
import {
  addressesWithScheme,
  addressWithScheme,
  httpAddress,
  list,
  milliseconds,
  oneOf,
  port,
  wholeNumber,
} from './shapes.ts';

/** Every process has these. */
export const processConfig = defineConfig({
  LOG_LEVEL: {
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    description: 'How much is logged: trace, debug, info, warn, error, fatal or silent.',
  },
  ADMIN_HOST: {
    schema: z.string(),
    default: '127.0.0.1',
    description: 'Where /livez, /readyz and /metrics are reachable. 0.0.0.0 in a container.',
  },
  ADMIN_PORT: {
    schema: port,
    default: '4001',
    description: 'Port of /livez, /readyz and /metrics. 0 lets the system choose.',
    contradiction: ({ PORT, ADMIN_PORT }) =>
      PORT === ADMIN_PORT && PORT !== 0
        ? 'is the same as PORT; they are two servers, so give it another one'
        : undefined,
  },
  SHUTDOWN_TIMEOUT_MS: {
    schema: milliseconds,
    default: '30000',
    description: 'How long running requests may take to finish after SIGTERM, in milliseconds.',
  },
  ...traceConfig,
});

/** Where state and the bus live. Each one that is set replaces the embedded part by a real server. */
export const stateConfig = defineConfig({
  DATA_DIR: {
    schema: z.string(),
    default: './data',
    description: 'Folder of the embedded database and of the key made at the first start.',
  },
  NATS_URL: {
    schema: addressesWithScheme('nats', 'tls').optional(),
    secret: true,
    example: 'nats://127.0.0.1:4222',
    description:
      'The NATS server, or several comma-separated, with user and password or a token where it asks for them. Without it all services share one process.',
  },
  JOURNAL_REPLICAS: {
    schema: wholeNumber(1, 5).optional(),
    example: '3',
    description:
      'Copies of the usage journal in a cluster of NATS servers. Without it one is made, and one that is there stays as it is.',
  },
  JOURNAL_MAX_BYTES: {
    schema: wholeNumber(65_536, 2 ** 50).optional(),
    example: '17179869184',
    description:
      'How much the usage journal may hold while Postgres is away, about 1,000 bytes for each request; then records wait in USAGE_SPILL_DIR. Without it 4 GiB when it is made, and one that is there stays as it is.',
  },
  REDIS_URL: {
    schema: addressWithScheme('redis', 'rediss').optional(),
    secret: true,
    example: 'redis://127.0.0.1:6379',
    description: 'The Redis server. Without it limits and caches are kept in memory.',
  },
  DATABASE_URL: {
    schema: addressWithScheme('postgres', 'postgresql').optional(),
    secret: true,
    example: 'postgres://switchyard:password@127.0.0.1:5432/switchyard',
    description: 'The Postgres database. Without it an embedded one is kept in DATA_DIR.',
  },
});

/** The public address. */
export const publicConfig = defineConfig({
  PORT: { schema: port, default: '4000', description: 'Port of the API. 0 lets the system choose.' },
  HOST: {
    schema: z.string(),
    default: '127.0.0.1',
    description: 'Address the API listens on. 0.0.0.0 makes it reachable from other machines.',
  },
  BASE_URL: {
    schema: httpAddress.optional(),
    example: 'https://gateway.example.com',
    description: 'How clients reach the API, where that is not http://HOST:PORT.',
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
    description: 'A key of your own choice that always works, at least 16 characters. For scripted set-ups.',
  },
});

/** What edge and the services it hands HTTP on to know of each other. */
export const internalConfig = defineConfig({
  INTERNAL_SECRET: {
    schema: list.pipe(z.array(z.string().min(32, 'must have at least 32 characters')).min(1, 'must not be empty')),
    secret: true,
    description:
      'What edge signs its word on who is calling with, and mcp-svc checks it by: the same for both, at least 32 characters. Comma-separated while it changes; the first signs.',
  },
});

/** What operators write themselves. */
export const operatorConfig = defineConfig({
  SWITCHYARD_CONFIG: {
    schema: z.string().optional(),
    example: './switchyard.yaml',
    description:
      'The file with your own models, prices and providers. Without it ./switchyard.yaml is read where there is one.',
  },
});

/** The simulated providers. */
export const sandboxConfig = defineConfig({
  SANDBOX: {
    schema: oneOf(['auto', 'on', 'off']),
    default: 'auto',
    description: 'Simulated providers: on, off, or auto (on when no provider key is set).',
  },
  SANDBOX_BASE_URL: {
    schema: httpAddress.optional(),
    example: 'http://127.0.0.1:4010',
    description: 'Where the simulated providers listen when they run as a process of their own.',
  },
});

const perMinute = wholeNumber(0, 1_000_000_000);

/** Counted at edge, and by mcp-svc for what its tools ask: the same counts. */
export const requestLimitsConfig = defineConfig({
  LIMIT_CHAT_PER_MINUTE: {
    schema: perMinute,
    default: '600',
    description:
      'Chat requests of one key, and of one account, in any minute. 0 is no limit; keys and accounts can differ.',
  },
  LIMIT_IMAGES_PER_MINUTE: { schema: perMinute, default: '300', description: 'The same for images.' },
  LIMIT_MODELS_PER_MINUTE: {
    schema: perMinute,
    default: '1200',
    description: 'The same for lists of models, providers and routes; without a key of one address at one edge.',
  },
});

/** All names that mean the same in every service. A service may as well take only the groups it reads. */
export const commonConfig = defineConfig({
  ...publicConfig,
  ...processConfig,
  ...stateConfig,
  ...bootstrapConfig,
  ...sandboxConfig,
});
