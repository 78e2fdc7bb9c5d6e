import { type ConfigOf, defineConfig, flag, milliseconds, stateConfig, wholeNumber } from '@tallyport/service-kit';

export const answerCacheConfig = defineConfig({
  CACHE_TTL_SECONDS: {
    schema: wholeNumber(0, 31_536_000).refine(
      (seconds) => seconds === 0 || seconds >= 10,
      'must be 0 (never) or from 10 seconds to one year (31536000)',
    ),
    default: '60',
    description:
      'How long an answer is reused for identical requests of the same account. 0 disables the cache. Keys and accounts can have their own values.',
  },
  CACHE_MAX_BYTES: {
    schema: wholeNumber(1024, 1_000_000),
    default: '1000000',
    description:
      'Size limit of a cached answer. A stream counts in its compressed form, as the differences between its events.',
  },
  CACHE_IMAGES: {
    schema: flag,
    default: 'false',
    description: 'Also caches images: answers of the image endpoints and of chat models that make images.',
  },
  CACHE_IMAGES_MAX_BYTES: {
    schema: wholeNumber(1024, 64 * 1024 ** 2),
    default: '16777216',
    description: 'Replaces CACHE_MAX_BYTES for answers that may contain images, which are stored in base64.',
  },
  CACHE_ACCOUNT_MAX_BYTES: {
    schema: wholeNumber(1024, 2 ** 40),
    default: '67108864',
    description: 'Cache size per account. Further answers are not cached until older ones have expired.',
  },
  CACHE_REDIS_URL: stateConfig.CACHE_REDIS_URL,
  CACHE_WAIT_MS: {
    schema: milliseconds,
    default: '120000',
    description: 'Time limit for waiting on an identical request that is already in progress.',
  },
});

export type AnswerCacheConfig = ConfigOf<typeof answerCacheConfig>;
