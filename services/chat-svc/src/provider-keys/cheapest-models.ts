import type { Model } from '@tallyport/contracts';
import { typicalPrice } from '@tallyport/pricing';

interface OfferedModels {
  models: readonly Model[];
  now: number;
}

/** The models of a provider that answer in text, cheapest first; those that think before they answer come last. */
export function cheapestModels({ models, now }: OfferedModels, providerId: string): Model[] {
  const offered = models.flatMap((model) => {
    const offer = model.offers.find((each) => each.providerId === providerId);
    const goneAt = offer?.deactivatedAt ?? model.deactivatedAt;
    const isGone = goneAt !== undefined && Date.parse(goneAt) <= now;
    const isChat = model.outputModalities.length === 1 && model.outputModalities[0] === 'text';
    if (offer === undefined || isGone || !isChat) return [];
    return [{ model, thinks: Number(offer.reasoning), price: typicalPrice(offer) ?? Number.MAX_VALUE }];
  });
  return offered
    .toSorted((one, other) => one.thinks - other.thinks || one.price - other.price)
    .map(({ model }) => model);
}
