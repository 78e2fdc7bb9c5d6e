import type { Offer } from '@tallyport/contracts';
import type { CacheMarking } from '../cache-marks/cache-marking.ts';

/** Newer models find a prefix only at a mark or at the end of an earlier prompt, and charge for what they write. */
const charging = /^gpt-(5\.[6-9]|[6-9])/;

export const openaiMarking = ({ modelName, pricing }: Offer): CacheMarking | undefined =>
  pricing['input_cache_read'] === undefined || !charging.test(modelName)
    ? undefined
    : { leastTokens: 1_024, tools: false, hour: false, implicit: true };
