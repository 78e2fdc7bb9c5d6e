import { answerCacheConfig } from '@switchyard/answer-cache';
import { meteringConfig } from '@switchyard/metering';
import { replayConfig } from '@switchyard/replay';
import { type ConfigOf, defineConfig } from '@switchyard/service-kit';
import { upstreamConfig } from '@switchyard/upstreams';

/** What every service reads that answers requests which cost money. */
export const servingConfig = defineConfig({
  ...upstreamConfig,
  ...meteringConfig,
  ...replayConfig,
  ...answerCacheConfig,
});

export type ServingConfig = ConfigOf<typeof servingConfig>;
