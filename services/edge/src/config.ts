import {
  type ConfigOf,
  defineConfig,
  fileBodyConfig,
  flag,
  httpAddress,
  internalConfig,
  list,
  mcpBodyConfig,
  milliseconds,
  publicConfig,
  stateConfig,
  wholeNumber,
} from '@tallyport/service-kit';
import { limitsConfig } from './limits/config.ts';
import { z } from 'zod';

export const edgeConfig = defineConfig({
  ...publicConfig,
  NATS_URL: stateConfig.NATS_URL,
  REDIS_URL: stateConfig.REDIS_URL,
  MAX_INFLIGHT_BYTES: {
    schema: wholeNumber(1024 ** 2),
    default: '536870912',
    description: 'Request bytes that one edge process holds at once. Beyond it, requests are answered with 529.',
  },
  REQUEST_TIMEOUT_MS: {
    schema: milliseconds,
    default: '1260000',
    description: 'Longest time one request may take from start to end, in milliseconds, streams included.',
  },
  UPLOAD_TIMEOUT_MS: {
    schema: milliseconds,
    default: '120000',
    description:
      'Longest time a client may take to send its request, in milliseconds. Of a file, the longest pause while it is sent.',
  },
  ...limitsConfig,
  ...internalConfig,
  ...mcpBodyConfig,
  ...fileBodyConfig,
  MCP_ALLOWED_ORIGINS: {
    schema: list,
    default: '',
    description:
      'Origins of other web pages that may call /mcp, comma-separated; * allows any. Programs send no origin.',
  },
  MCP_MAX_STREAMS: {
    schema: wholeNumber(0, 1_000_000),
    default: '20000',
    description: 'MCP streams for notifications that one edge process keeps open.',
  },
  MCP_MAX_STREAMS_PER_ACCOUNT: {
    schema: wholeNumber(0, 1_000_000),
    default: '1000',
    description:
      'MCP streams for notifications that one account may keep open at one edge process. Older clients open one each.',
  },
  MAX_SOCKETS: {
    schema: wholeNumber(0, 1_000_000),
    default: '20000',
    description: 'WebSockets that one edge process keeps open.',
  },
  MAX_SOCKETS_PER_KEY: {
    schema: wholeNumber(0, 1_000_000),
    default: '1000',
    description: 'WebSockets that one API key may keep open at one edge process.',
  },
  STATUS_PAGE: {
    schema: flag,
    default: 'false',
    description:
      'Whether /status shows the state, uptime and incidents of the providers to everyone, without signing in. Otherwise it does not exist.',
  },
  CONSOLE_URL: {
    schema: list.pipe(z.array(httpAddress).min(1, 'must name at least one address')),
    default: 'http://127.0.0.1:4004',
    description:
      'Address of console-svc, to which edge hands /dashboard. If its name has several addresses, for example of a headless Service, they take turns; so do several URLs, separated by commas.',
  },
});

export type EdgeConfig = ConfigOf<typeof edgeConfig>;

/** The largest body of a request, and the setting that bounds it. */
export const largestBody = ({ MAX_BODY_BYTES: bytes }: EdgeConfig) => ({ bytes, setting: 'MAX_BODY_BYTES' });

/** What a form has beside its file. */
const formBytes = 64 * 1024;

/** The largest body that is passed on as it arrives: a form with one file. */
export const largestUpload = ({ FILES_MAX_BYTES: bytes }: EdgeConfig) => ({
  bytes: bytes + formBytes,
  setting: 'FILES_MAX_BYTES',
});
