import { type ConfigOf, defineConfig, wholeNumber } from '@switchyard/service-kit';

export const replayConfig = defineConfig({
  IDEMPOTENCY_TTL_SECONDS: {
    schema: wholeNumber(60, 2_592_000),
    default: '86400',
    description: 'How long the answer to a request with an Idempotency-Key is kept for the same request sent again.',
  },
  IDEMPOTENCY_MAX_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '33554432',
    description:
      'Largest answer that is kept for it. A larger one is given once; the same request sent again is answered with 409, not paid for twice.',
  },
  IDEMPOTENCY_MAX_HELD_BYTES: {
    schema: wholeNumber(1024),
    default: '268435456',
    description: 'Memory of one process for such answers while they are made; beyond it they are not kept.',
  },
});

export type ReplayConfig = ConfigOf<typeof replayConfig>;
