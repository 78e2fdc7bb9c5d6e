import type { Offer } from '@tallyport/contracts';
import { type CacheMarking, claudeMarking } from '../cache-marks/cache-marking.ts';
import { bedrockRules } from './models.ts';

/** Nova caches instructions and messages, for five minutes; Claude everything. */
export function bedrockMarking(offer: Offer): CacheMarking | undefined {
  const marking = claudeMarking(offer);
  if (marking === undefined || !bedrockRules(offer).cachePoints) return undefined;
  return offer.modelName.includes('claude') ? marking : { leastTokens: 1_000, tools: false, hour: false };
}
