import { chatProviders } from '@switchyard/providers';
import {
  type ConfigOf,
  defineConfig,
  flag,
  milliseconds,
  publicConfig,
  sandboxConfig,
  stateConfig,
  vendorConfig,
  wholeNumber,
} from '@switchyard/service-kit';
import { routingConfig } from './routing-config.ts';

/** The vendors whose key a person can set; the simulated ones need none. */
const keyStems = chatProviders.filter(({ auth }) => auth.kind !== 'none').map(({ keyVariable }) => keyVariable);

/** What every service reads that calls providers. */
export const upstreamConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  JOURNAL_REPLICAS: stateConfig.JOURNAL_REPLICAS,
  JOURNAL_MAX_BYTES: stateConfig.JOURNAL_MAX_BYTES,
  REDIS_URL: stateConfig.REDIS_URL,
  MAX_BODY_BYTES: publicConfig.MAX_BODY_BYTES,
  SANDBOX_BASE_URL: sandboxConfig.SANDBOX_BASE_URL,
  ...vendorConfig(
    [...new Set(keyStems)],
    chatProviders.flatMap(({ settings = [] }) => settings),
  ),
  ...routingConfig,
  CATALOGUE_REFRESH_MS: {
    schema: milliseconds,
    default: '30000',
    description: 'How often the local copy of the catalogue is compared, besides being told of changes.',
  },
  IMAGE_URL_MAX_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '20971520',
    description: 'Largest image fetched from a URL in a request, for providers that fetch none themselves.',
  },
  IMAGE_URL_TIMEOUT_MS: {
    schema: milliseconds,
    default: '15000',
    description: 'Longest time one such image may take.',
  },
  IMAGE_URL_MAX_CONCURRENT: {
    schema: wholeNumber(1, 10_000),
    default: '32',
    description: 'Such images one process fetches at once.',
  },
  IMAGE_URL_ALLOW_LOCAL: {
    schema: flag,
    default: 'false',
    description: 'Fetch them over plain http and from loopback too. Only for trying and testing.',
  },
  UPSTREAM_CONNECT_TIMEOUT_MS: {
    schema: milliseconds,
    default: '5000',
    description: 'Longest time to connect to a provider.',
  },
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS: {
    schema: milliseconds,
    default: '60000',
    description: 'Longest time a provider may take to begin a streamed answer.',
  },
  UPSTREAM_PLAIN_FIRST_BYTE_TIMEOUT_MS: {
    schema: milliseconds,
    default: '300000',
    description: 'The same without streaming: vendors send nothing before the answer is whole.',
  },
  UPSTREAM_IDLE_TIMEOUT_MS: {
    schema: milliseconds,
    default: '120000',
    description: "Longest silence between two pieces of a stream's content; signs of life are not content.",
  },
  UPSTREAM_STREAM_TIMEOUT_MS: {
    schema: milliseconds,
    default: '1200000',
    description: 'Longest time one attempt may stream.',
  },
  UPSTREAM_PLAIN_TIMEOUT_MS: {
    schema: milliseconds,
    default: '600000',
    description: 'Longest time one attempt without streaming may take.',
  },
  UPSTREAM_MAX_RESPONSE_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '134217728',
    description: "Largest answer read from a provider, streams' sums included.",
  },
});

export type UpstreamConfig = ConfigOf<typeof upstreamConfig>;
