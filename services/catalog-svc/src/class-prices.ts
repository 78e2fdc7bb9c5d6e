import type { ClassRule, OfferEntry } from './data-file.ts';

type Pricing = NonNullable<OfferEntry['pricing']>;
type Kind = keyof Pricing;

/** The prices of an offer with those that follow from the rules of its family. Its own ones take precedence. */
export function withClassPrices(
  offer: Pick<OfferEntry, 'provider' | 'priceTiers'> & { pricing: Pricing },
  rules: readonly ClassRule[],
): Pick<OfferEntry, 'priceTiers'> & { pricing: Pricing; geos?: Readonly<Record<string, string>> } {
  const { pricing, priceTiers } = offer;
  const those = rules.filter(({ providers }) => providers.includes(offer.provider));
  if (those.length === 0 || pricing.prompt === undefined) return { pricing, ...(priceTiers && { priceTiers }) };
  const factors = Object.assign({}, ...those.map((rule) => rule.factors)) as ClassRule['factors'];
  const geos = Object.assign({}, ...those.map((rule) => rule.geos)) as Readonly<Record<string, string>>;
  // Only models that charge for writing to their cache have lifetimes.
  const derived = pricing.input_cache_write === undefined ? {} : factors;
  return {
    pricing: { ...constantPrices(those), ...multiples(pricing, derived), ...pricing },
    ...(priceTiers && {
      priceTiers: priceTiers.map((tier) => ({
        ...tier,
        pricing: { ...multiples(tier.pricing, derived), ...tier.pricing },
      })),
    }),
    ...(Object.keys(geos).length > 0 && { geos }),
  };
}

const constantPrices = (rules: readonly ClassRule[]): Pricing =>
  Object.assign({}, ...rules.map((rule) => rule.pricing));

/** Prices that are a factor of the prompt's. */
const multiples = ({ prompt }: Pricing, factors: ClassRule['factors'] = {}): Pricing =>
  prompt === undefined
    ? {}
    : Object.fromEntries(Object.entries(factors).map(([kind, factor]) => [kind as Kind, product(prompt, factor)]));

/** Of decimal texts, exact. */
function product(price: string, factor: string): string {
  const [one, other] = [decimalOf(price), decimalOf(factor)];
  const digits = (one.value * other.value).toString().padStart(one.places + other.places + 1, '0');
  const point = digits.length - one.places - other.places;
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0*$/, '');
}

function decimalOf(text: string): { value: bigint; places: number } {
  const [whole = '', fraction = ''] = text.split('.');
  return { value: BigInt(whole + fraction), places: fraction.length };
}
