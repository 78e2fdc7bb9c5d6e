import type { Catalogue, Offer } from '@switchyard/contracts';
import type { ForeignFacts, ForeignPrices } from './models-dev.ts';

/** One figure that is another one elsewhere. */
export interface Difference {
  modelId: string;
  providerId: string;
  /** `pricing.prompt`, `contextLength` … */
  member: string;
  ours: string | undefined;
  theirs: string | number;
}

/** What the document knows otherwise, model by model. What it does not know stays as it is. */
export const findDifferences = ({ models }: Catalogue, prices: ForeignPrices): Difference[] =>
  models.flatMap(({ id, offers }) =>
    offers.flatMap((offer) => {
      const facts = prices.find(offer.providerId, offer.modelName);
      return facts === undefined ? [] : differencesOf(id, offer, facts);
    }),
  );

function differencesOf(modelId: string, offer: Offer, { pricing, ...limits }: ForeignFacts): Difference[] {
  const about = { modelId, providerId: offer.providerId };
  const prices = Object.entries(pricing)
    .filter(([kind, theirs]) => Number(offer.pricing[kind] ?? '-1') !== Number(theirs))
    .map(([kind, theirs]) => ({ ...about, member: `pricing.${kind}`, ours: offer.pricing[kind], theirs }));
  const others = (['contextLength', 'maxOutput'] as const).flatMap((member) => {
    const [ours, theirs] = [offer[member], limits[member]];
    return theirs === undefined || ours === theirs ? [] : [{ ...about, member, ours: ours && String(ours), theirs }];
  });
  return [
    ...prices,
    ...others.map((other) => ({ ...other, ours: other.ours === undefined ? undefined : String(other.ours) })),
  ];
}
