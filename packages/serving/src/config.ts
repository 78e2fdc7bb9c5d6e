import { answerCacheConfig } from './cache/index.ts';
import { meteringConfig } from './metering/index.ts';
import { replayConfig } from './replay/index.ts';
import { type ConfigOf, defineConfig } from '@tallyport/service-kit';
import { upstreamConfig } from './upstreams/index.ts';
import { targetsConfig } from '@tallyport/outbound';

/** The settings of every service with endpoints that cost money. */
export const servingConfig = defineConfig({
  ...upstreamConfig,
  ...meteringConfig,
  ...replayConfig,
  ...answerCacheConfig,
  ...targetsConfig,
});

export type ServingConfig = ConfigOf<typeof servingConfig>;
