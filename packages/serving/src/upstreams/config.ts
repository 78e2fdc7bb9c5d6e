import { targetsConfig } from '@tallyport/outbound';
import { chatProviders } from '@tallyport/providers';
import {
  type ConfigOf,
  defineConfig,
  milliseconds,
  publicConfig,
  sandboxConfig,
  stateConfig,
  vendorConfig,
  wholeNumber,
} from '@tallyport/service-kit';
import { z } from 'zod';
import { routingConfig } from './routing-config.ts';

/** The vendors with a configurable key; the simulated ones need none. */
const keyStems = chatProviders.filter(({ auth }) => auth.kind !== 'none').map(({ keyVariable }) => keyVariable);

/** Whether clients may use models that are not in the catalogue. */
export const unknownModelsConfig = defineConfig({
  UNKNOWN_MODELS: {
    schema: z.enum(['allow', 'refuse']),
    default: 'refuse',
    description:
      '`allow` passes `<provider>/<model>` on to that provider even if the model is not in the catalogue. Its price is unknown, so budgets do not count it.',
  },
});

/** The settings of every service that calls providers. */
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
  ...unknownModelsConfig,
  IMAGE_URL_MAX_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '20971520',
    description: 'Size limit of an image fetched from a URL in a request, for providers that accept no URLs.',
  },
  IMAGE_URL_TIMEOUT_MS: {
    schema: milliseconds,
    default: '15000',
    description: 'Time limit for fetching one image.',
  },
  IMAGE_URL_MAX_CONCURRENT: {
    schema: wholeNumber(1, 10_000),
    default: '32',
    description: 'How many images one process fetches at once.',
  },
  ALLOW_LOCAL_TARGETS: targetsConfig.ALLOW_LOCAL_TARGETS,
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS: {
    schema: milliseconds,
    default: '60000',
    description: 'Time limit for the first byte of a streamed answer.',
  },
  UPSTREAM_PLAIN_FIRST_BYTE_TIMEOUT_MS: {
    schema: milliseconds,
    default: '300000',
    description: 'Time limit for the first byte without streaming. Vendors send nothing until the answer is complete.',
  },
  UPSTREAM_IDLE_TIMEOUT_MS: {
    schema: milliseconds,
    default: '120000',
    description: "Time limit between two pieces of a stream's content. Keep-alives are not content.",
  },
  UPSTREAM_STREAM_TIMEOUT_MS: {
    schema: milliseconds,
    default: '1200000',
    description: 'Time limit of one streamed attempt.',
  },
  UPSTREAM_PLAIN_TIMEOUT_MS: {
    schema: milliseconds,
    default: '600000',
    description: 'Time limit of one attempt without streaming.',
  },
  UPSTREAM_MAX_RESPONSE_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '134217728',
    description: 'Size limit of an answer read from a provider, streamed or not.',
  },
});

export type UpstreamConfig = ConfigOf<typeof upstreamConfig>;
