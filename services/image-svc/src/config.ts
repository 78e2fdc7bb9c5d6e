import { defineConfig, stateConfig, wholeNumber } from '@switchyard/service-kit';
import type { ConfigOf } from '@switchyard/service-kit';

export const imageConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  IMAGE_MAX_CONCURRENT: {
    schema: wholeNumber(1, 100_000),
    default: '100',
    description:
      'Image requests one process works on at once; further ones are sent to another replica or answered 529.',
  },
});

export type ImageConfig = ConfigOf<typeof imageConfig>;
