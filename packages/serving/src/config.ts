import { answerCacheConfig } from '@tallyport/answer-cache';
import { meteringConfig } from '@tallyport/metering';
import { replayConfig } from '@tallyport/replay';
import { type ConfigOf, defineConfig, guardWebhooksConfig } from '@tallyport/service-kit';
import { upstreamConfig } from '@tallyport/upstreams';
import { privateTargetsConfig } from '@tallyport/outbound';

/** The settings of every service with endpoints that cost money. */
export const servingConfig = defineConfig({
  ...upstreamConfig,
  ...meteringConfig,
  ...replayConfig,
  ...answerCacheConfig,
  ...guardWebhooksConfig,
  ...privateTargetsConfig,
});

export type ServingConfig = ConfigOf<typeof servingConfig>;
