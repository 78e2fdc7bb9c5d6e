import { defineConfig, oneOf, wholeNumber } from '@switchyard/service-kit';
import { z } from 'zod';

export const meteringConfig = defineConfig({
  LIMIT_TOKENS_PER_MINUTE: {
    schema: wholeNumber(0, 1_000_000_000),
    default: '0',
    description:
      'Tokens of one key, and of one account, in any minute, prompts and answers together. 0 is no limit; keys and accounts can differ.',
  },
  USAGE_SPILL_DIR: {
    schema: z.string().optional(),
    example: '/var/lib/switchyard/usage',
    description:
      'Folder where records of use wait while the journal is away. Without it: in DATA_DIR where all is one process, else in the folder for temporary files.',
  },
  BUDGET_WHEN_AWAY: {
    schema: oneOf(['allow', 'deny']),
    default: 'allow',
    description:
      "What happens to requests of keys and accounts with a budget while nobody can say what is left of it: allow (each replica's part of what was left when it last knew), or deny.",
  },
  USAGE_SPILL_MAX_BYTES: {
    schema: wholeNumber(0, 2 ** 40),
    default: '134217728',
    description: 'How much may wait there; what is more is lost, and counted as lost.',
  },
});

export interface MeteringConfig {
  readonly BUDGET_WHEN_AWAY: 'allow' | 'deny';
  readonly LIMIT_TOKENS_PER_MINUTE: number;
  readonly USAGE_SPILL_DIR: string | undefined;
  readonly USAGE_SPILL_MAX_BYTES: number;
}
