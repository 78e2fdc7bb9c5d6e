import { noTokens } from '@tallyport/contracts';
import { price, type Price } from '@tallyport/pricing';
import type { Settlement } from './settlement.ts';

/** What a line cost less than the same request without a batch, by the catalogue; 0 where a price is not known. */
export function savedByBatch({ served, counted, imagesToPay }: Settlement, paid: Price | undefined): bigint {
  if (served === undefined || paid?.cost === undefined) return 0n;
  const standard = { ...counted, tokens: counted?.tokens ?? noTokens, images: imagesToPay, tier: undefined };
  const { cost = 0n } = price(served, standard);
  return cost > paid.cost ? cost - paid.cost : 0n;
}
