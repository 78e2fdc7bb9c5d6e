import { defineConfig, list, requestLimitsConfig, wholeNumber } from '@switchyard/service-kit';
import { addressRanges } from '../authenticate/address-ranges.ts';

const perMinute = wholeNumber(0, 1_000_000_000);

export const limitsConfig = defineConfig({
  ...requestLimitsConfig,
  LIMIT_MCP_PER_MINUTE: {
    schema: perMinute,
    default: '600',
    description: 'Requests to /mcp per minute and account. 0 disables the limit; accounts can differ.',
  },
  LIMIT_CONCURRENT_REQUESTS: {
    schema: perMinute,
    default: '0',
    description: 'Concurrent requests per account. 0 disables the limit; accounts can differ.',
  },
  LIMIT_UNKNOWN_KEYS_PER_MINUTE: {
    schema: perMinute,
    default: '60',
    description:
      'Unknown keys per address and minute. Beyond it, an edge answers them with 429 and looks keys of the address up one at a time; 0 disables the limit.',
  },
  TRUSTED_PROXIES: {
    schema: list.superRefine((texts, context) => {
      try {
        addressRanges(texts);
      } catch (error) {
        context.addIssue({ code: 'custom', message: `is not a list of addresses: ${(error as RangeError).message}` });
      }
    }),
    default: '',
    description:
      'Addresses or ranges of trusted proxies in front of edge, for example 10.0.0.0/8. Only their X-Forwarded-For is used.',
  },
});
