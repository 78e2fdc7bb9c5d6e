import { answerCacheConfig } from '@switchyard/answer-cache';
import { meteringConfig } from '@switchyard/metering';
import { replayConfig } from '@switchyard/replay';
import { type ConfigOf, defineConfig, guardWebhooksConfig } from '@switchyard/service-kit';
import { upstreamConfig } from '@switchyard/upstreams';
import { privateTargetsConfig } from '@switchyard/outbound';

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
