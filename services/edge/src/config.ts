import {
  defineConfig,
  httpAddress,
  milliseconds,
  publicConfig,
  stateConfig,
  wholeNumber,
} from '@switchyard/service-kit';
import { limitsConfig } from './limits/config.ts';

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
  MCP_URL: {
    schema: httpAddress,
    default: 'http://127.0.0.1:4002',
    description: 'Where mcp-svc listens; edge hands /mcp on to it.',
  },
  OAUTH_URL: {
    schema: httpAddress.optional(),
    example: 'http://127.0.0.1:4003',
    description:
      'Where auth-svc serves OAuth and sign-in; edge hands /oauth on to it. Without it those paths are not there.',
  },
});
