import { type Offer, oncePer } from '@tallyport/contracts';
import { multiplied, multipliedPrices } from './tier-prices.ts';

type PlacedOffer = Pick<Offer, 'pricing' | 'priceTiers' | 'tiers' | 'geos'>;

/** An offer at the prices of a place, where the vendor bills a factor for keeping the data there. */
export const offerInPlace = (offer: PlacedOffer, geo: string): PlacedOffer => inPlaces(offer).get(geo) ?? offer;

/** The vendor chose the place, or has one price. */
const ordinary: ReadonlySet<string> = new Set(['global', 'not_available']);

export const isUnpricedPlace = ({ geos }: PlacedOffer, geo: string): boolean =>
  geos !== undefined && !Object.hasOwn(geos, geo) && !ordinary.has(geo);

const inPlaces = oncePer(
  (offer: PlacedOffer): ReadonlyMap<string, PlacedOffer> =>
    new Map(Object.entries(offer.geos ?? {}).map(([geo, factor]) => [geo, inPlace(offer, factor)])),
);

const inPlace = (offer: PlacedOffer, factor: string): PlacedOffer => ({
  ...multipliedPrices(offer, factor),
  tiers:
    offer.tiers &&
    Object.fromEntries(
      Object.entries(offer.tiers).map(([name, tier]) => [
        name,
        { ...tier, ...(tier.pricing && { pricing: multiplied(tier.pricing, factor) }) },
      ]),
    ),
});
