import { type ConfigOf, defineConfig, wholeNumber } from '@tallyport/service-kit';

export const replayConfig = defineConfig({
  IDEMPOTENCY_TTL_SECONDS: {
    schema: wholeNumber(60, 2_592_000),
    default: '86400',
    description: 'How long the answer to a request with an Idempotency-Key is kept for repeats of the request.',
  },
  IDEMPOTENCY_MAX_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '33554432',
    description:
      'Size limit of a kept answer. A larger one is sent once; repeats get 409 instead of being paid for twice.',
  },
  IDEMPOTENCY_ACCOUNT_MAX_BYTES: {
    schema: wholeNumber(1024, 2 ** 40),
    default: '67108864',
    description:
      'Size limit of all kept answers of one account. Beyond it, answers are sent once and repeats get 409, until older ones expire.',
  },
});

export type ReplayConfig = ConfigOf<typeof replayConfig>;
