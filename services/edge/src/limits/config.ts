import { defineConfig, list, requestLimitsConfig, wholeNumber } from '@switchyard/service-kit';
import { addressRanges } from '../authenticate/address-ranges.ts';

const perMinute = wholeNumber(0, 1_000_000_000);

export const limitsConfig = defineConfig({
  ...requestLimitsConfig,
  LIMIT_MCP_PER_MINUTE: { schema: perMinute, default: '600', description: 'The same for requests to /mcp.' },
  LIMIT_CONCURRENT_REQUESTS: {
    schema: perMinute,
    default: '0',
    description: 'Requests of one account running at once. 0 is no limit; accounts can differ.',
  },
  LIMIT_UNKNOWN_KEYS_PER_MINUTE: {
    schema: perMinute,
    default: '60',
    description:
      'Unknown keys of one address that one edge looks up in a minute, before it answers 429. 0 is no limit.',
  },
  TRUSTED_PROXIES: {
    schema: list.superRefine((texts, context) => {
      try {
        addressRanges(texts);
      } catch (error) {
        context.addIssue({ code: 'custom', message: `is no list of addresses: ${(error as RangeError).message}` });
      }
    }),
    default: '',
    description:
      'Proxies in front of edge, as addresses or ranges such as 10.0.0.0/8: what they say in X-Forwarded-For is believed.',
  },
});
