import type { Offer } from '@tallyport/contracts';

type FindOffer = (providerId: string, modelName: string) => Offer | undefined;

const finders = new WeakMap<object, FindOffer>();

/** Remembers how to find the other offers of a catalogue, since other models can take part in an answer. */
export function relateOffers(offers: readonly Offer[], find: FindOffer): void {
  for (const offer of offers) finders.set(offer, find);
}

/** The model of this name at the provider of the offer. */
export const relatedOffer = (offer: Partial<Offer>, modelName: string): Offer | undefined =>
  offer.providerId === undefined ? undefined : finders.get(offer)?.(offer.providerId, modelName);
