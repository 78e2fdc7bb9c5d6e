import { defineConfig, oneOf, tokenLimitConfig, wholeNumber } from '@tallyport/service-kit';
import { z } from 'zod';

export const meteringConfig = defineConfig({
  ...tokenLimitConfig,
  USAGE_SPILL_DIR: {
    schema: z.string().optional(),
    example: '/var/lib/tallyport/usage',
    description:
      'Folder for usage records while the journal is unavailable. Several installations may share it. Default: inside DATA_DIR if everything runs in one process, otherwise the folder for temporary files.',
  },
  BUDGET_WHEN_AWAY: {
    schema: oneOf(['allow', 'deny']),
    default: 'allow',
    description:
      'What happens to requests with a budget while its remainder is unknown: allow (each replica its share of the last known remainder), or deny.',
  },
  BUDGET_WAIT_MS: {
    schema: wholeNumber(0, 600_000),
    default: '30000',
    description:
      'How long a request waits for budget that running requests have reserved, at most half its own timeout. 0 refuses it at once.',
  },
  USAGE_SPILL_MAX_BYTES: {
    schema: wholeNumber(0, 2 ** 40),
    default: '134217728',
    description:
      'Size limit of USAGE_SPILL_DIR. Up to 16 MiB more are kept in memory; records beyond that are lost, counted and logged.',
  },
});

export interface MeteringConfig {
  readonly BUDGET_WAIT_MS: number;
  readonly BUDGET_WHEN_AWAY: 'allow' | 'deny';
  readonly LIMIT_TOKENS_PER_MINUTE: number;
  readonly USAGE_SPILL_DIR: string | undefined;
  readonly USAGE_SPILL_MAX_BYTES: number;
}
