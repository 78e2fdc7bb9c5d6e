import { type ConfigOf, defineConfig, flag, milliseconds, wholeNumber } from '@switchyard/service-kit';
import { servingConfig } from '@switchyard/serving';

export const imageConfig = defineConfig({
  ...servingConfig,
  IMAGE_MAX_CONCURRENT: {
    schema: wholeNumber(1, 100_000),
    default: '100',
    description:
      'Image requests one process works on at once; further ones are sent to another replica or answered 529.',
  },
  IMAGE_MAX_ATTEMPTS: {
    schema: wholeNumber(1, 10),
    default: '3',
    description: 'Providers tried for one request for images before it fails.',
  },
  IMAGE_MAX_INFLIGHT_BYTES: {
    schema: wholeNumber(1024 ** 2),
    default: '536870912',
    description:
      'Bytes of images one image-svc process holds at once, in base64, given and made; beyond it requests are answered with 529 before anything is paid.',
  },
  IMAGE_EXPECTED_BYTES: {
    schema: wholeNumber(0),
    default: '8388608',
    description: 'What of that is put aside for each image that is awaited, until its size is known.',
  },
  IMAGE_MAX_PIXELS: {
    schema: wholeNumber(1024, 2 ** 28),
    default: '67108864',
    description:
      'Pixels of the largest image that is taken for an edit or converted; small files can unpack to gigabytes.',
  },
  IMAGE_CONVERT_CONCURRENT: {
    schema: wholeNumber(1, 64),
    default: '2',
    description: 'Images one process converts at once, each in a thread of its own; others wait their turn.',
  },
  IMAGE_KEEP_ALIVE: {
    schema: flag,
    default: 'false',
    description:
      'Send whitespace before the answer while images take long, so that proxies keep the connection. The status is then 200 whatever comes: an error is told in the body only.',
  },
  IMAGE_KEEP_ALIVE_MS: {
    schema: milliseconds,
    default: '15000',
    description: 'How long before the first of it, and between two.',
  },
});

export type ImageServiceConfig = ConfigOf<typeof imageConfig>;
