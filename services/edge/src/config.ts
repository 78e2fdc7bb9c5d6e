import {
  type ConfigOf,
  defineConfig,
  httpAddress,
  internalConfig,
  list,
  milliseconds,
  publicConfig,
  stateConfig,
  wholeNumber,
} from '@switchyard/service-kit';
import { limitsConfig } from './limits/config.ts';
import { z } from 'zod';

export const edgeConfig = defineConfig({
  ...publicConfig,
  NATS_URL: stateConfig.NATS_URL,
  REDIS_URL: stateConfig.REDIS_URL,
  MAX_INFLIGHT_BYTES: {
    schema: wholeNumber(1024 ** 2),
    default: '536870912',
    description: 'Request bytes held at once by one edge process; beyond it requests are answered with 529.',
  },
  REQUEST_TIMEOUT_MS: {
    schema: milliseconds,
    default: '1260000',
    description: 'Longest time one request may take from end to end, in milliseconds. Streams included.',
  },
  UPLOAD_TIMEOUT_MS: {
    schema: milliseconds,
    default: '120000',
    description: 'Longest time a client may take to send its request, in milliseconds.',
  },
  ...limitsConfig,
  ...internalConfig,
  MCP_URL: {
    schema: list.pipe(z.array(httpAddress).min(1, 'must name at least one address')),
    default: 'http://127.0.0.1:4002',
    description: 'Where mcp-svc listens; edge hands /mcp on to it. Several replicas, comma-separated, take turns.',
  },
  MCP_ALLOWED_ORIGINS: {
    schema: list,
    default: '',
    description: 'Web pages that may call /mcp besides our own, comma-separated; * is any. Programs send no origin.',
  },
  MCP_MAX_STREAMS_PER_ACCOUNT: {
    schema: wholeNumber(0, 1_000_000),
    default: '1000',
    description: 'Idle MCP streams one account may have open at one edge process; older clients open one each.',
  },
  AUTH_URL: {
    schema: list.pipe(z.array(httpAddress).min(1, 'must name at least one address')),
    default: 'http://127.0.0.1:4003',
    description:
      'Where auth-svc listens; edge hands on to it what is signing in, OAuth and managing. Several replicas, comma-separated, take turns.',
  },
});

export type EdgeConfig = ConfigOf<typeof edgeConfig>;
