import { pixelsConfig } from '@tallyport/pixels';
import { type ConfigOf, defineConfig, flag, milliseconds, wholeNumber } from '@tallyport/service-kit';
import { servingConfig } from '@tallyport/serving';

export const imageConfig = defineConfig({
  ...servingConfig,
  IMAGE_MAX_CONCURRENT: {
    schema: wholeNumber(1, 100_000),
    default: '100',
    description: 'How many image requests one process handles at once. Further ones go to another replica or get 529.',
  },
  IMAGE_MAX_ATTEMPTS: {
    schema: wholeNumber(1, 10),
    default: '3',
    description: 'How many providers are tried for one image request before it fails.',
  },
  IMAGE_MAX_INFLIGHT_BYTES: {
    schema: wholeNumber(1024 ** 2),
    default: '536870912',
    description:
      'Memory limit of one image-svc process for input and output images, in base64. Beyond it requests get 529 before anything is paid.',
  },
  IMAGE_EXPECTED_BYTES: {
    schema: wholeNumber(0),
    default: '8388608',
    description: 'How much of that is reserved for each pending image until its size is known.',
  },
  ...pixelsConfig,
  IMAGE_KEEP_ALIVE: {
    schema: flag,
    default: 'false',
    description:
      'Sends whitespace while images are being made, so that proxies keep the connection open. The status is then always 200, and errors are reported only in the body.',
  },
  IMAGE_KEEP_ALIVE_MS: {
    schema: milliseconds,
    default: '15000',
    description: 'How long to wait before the first whitespace, and between two.',
  },
});

export type ImageServiceConfig = ConfigOf<typeof imageConfig>;
