import { accountLimitsConfig, defineConfig, list, requestLimitsConfig, wholeNumber } from '@tallyport/service-kit';
import { addressRanges } from '../authenticate/address-ranges.ts';

export const limitsConfig = defineConfig({
  ...requestLimitsConfig,
  ...accountLimitsConfig,
  LIMIT_UNKNOWN_KEYS_PER_MINUTE: {
    schema: wholeNumber(0, 1_000_000_000),
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
