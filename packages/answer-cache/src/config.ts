import { type ConfigOf, defineConfig, flag, milliseconds, wholeNumber } from '@switchyard/service-kit';

export const answerCacheConfig = defineConfig({
  CACHE_TTL_SECONDS: {
    schema: wholeNumber(0, 31_536_000).refine(
      (seconds) => seconds === 0 || seconds >= 10,
      'must be 0 (never) or from 10 seconds to one year (31536000)',
    ),
    default: '60',
    description:
      'How long an answer is served again to the same account asking exactly the same; 0 is never. Keys and accounts can differ.',
  },
  CACHE_MAX_BYTES: {
    schema: wholeNumber(1024, 1_000_000),
    default: '1000000',
    description:
      'Answers larger than this are not kept. A stream counts as what of it is different from event to event.',
  },
  CACHE_IMAGES: {
    schema: flag,
    default: 'false',
    description: 'Keep images too: what the image endpoints answer, and chat models that make images.',
  },
  CACHE_IMAGES_MAX_BYTES: {
    schema: wholeNumber(1024, 64 * 1024 ** 2),
    default: '16777216',
    description: 'In the place of CACHE_MAX_BYTES for answers that may have images, which are kept in base64.',
  },
  CACHE_WAIT_MS: {
    schema: milliseconds,
    default: '120000',
    description: 'Longest wait for the answer to the same question that somebody is getting already.',
  },
});

export type AnswerCacheConfig = ConfigOf<typeof answerCacheConfig>;
