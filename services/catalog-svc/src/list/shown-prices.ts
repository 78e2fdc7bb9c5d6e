import type { Model, Offer } from '@tallyport/contracts';

type Pricing = Offer['pricing'];
/** A price for each of these members, and for further ones that a model has. */
type Prices<Member extends string = ConstantMember> = Record<Member, string> & Record<string, string>;

/** The members that every record has: "0" where the model bills nothing. */
const constantMembers = [
  'prompt',
  'completion',
  'image',
  'request',
  'input_cache_read',
  'input_cache_write',
  'web_search',
  'internal_reasoning',
] as const;

/** The same for each provider of the record. */
const offerMembers = ['prompt', 'completion', 'image'] as const;

type ConstantMember = (typeof constantMembers)[number];

/** A price that is unknown, in the form that OpenRouter gave it: every member is text, and no price is negative. */
const unknownPrice = '-1';

/** Shown where a model has them. */
const furtherMembers = [
  'image_input',
  'image_output',
  'audio_input',
  'audio_output',
  'audio_cache_read',
  'image_cache_read',
  'character',
  'minute',
  'search',
] as const;

/** The prices of the first offer, which is tried first if all else is equal. Reasoning is billed as output. */
export function modelPrices(model: Pick<Model, 'outputModalities' | 'offers'>): Prices {
  const [offer] = model.offers;
  if (offer === undefined) return pricesOf(constantMembers, () => unknownPrice);
  const prices = shownPrices(model, offer, constantMembers);
  const { completion } = prices;
  const isThinking = offer.reasoning && offer.pricing['internal_reasoning'] === undefined;
  return isThinking && completion !== undefined ? { ...prices, internal_reasoning: completion } : prices;
}

/** Of each kind the highest price of these models. Unknown if it is unknown for one of them, and billed by it. */
export function dearestPrices(models: readonly Model[]): Prices {
  const lists = models.map(modelPrices);
  const further = new Set(lists.flatMap(Object.keys));
  return pricesOf(constantMembers, (member) => dearest(lists.map((list) => list[member] ?? '0')), [...further]);
}

function dearest(prices: readonly string[]): string {
  if (prices.includes(unknownPrice)) return unknownPrice;
  return prices.reduce((high, price) => (Number(price) > Number(high) ? price : high));
}

export const offerPrices = (
  model: Pick<Model, 'outputModalities'>,
  offer: Offer,
): Prices<(typeof offerMembers)[number]> => shownPrices(model, offer, offerMembers);

function shownPrices<Member extends ConstantMember>(
  { outputModalities }: Pick<Model, 'outputModalities'>,
  { pricing }: Offer,
  members: readonly Member[],
): Prices<Member> {
  const unknown = unknownMembers(outputModalities, pricing);
  const further = furtherMembers.filter((member) => pricing[member] !== undefined);
  const priceOf = (member: string) =>
    unknown.some((each) => each === member) ? unknownPrice : (pricing[member] ?? '0');
  return pricesOf(members, priceOf, further);
}

function pricesOf<Member extends string>(
  members: readonly Member[],
  priceOf: (member: string) => string,
  further: readonly string[] = [],
): Prices<Member> {
  const named: Record<string, string> = {};
  for (const member of [...members, ...further]) named[member] = priceOf(member);
  return named as Prices<Member>;
}

/** What a model surely bills but has no price for. Nothing else without a price is billed. */
function unknownMembers(output: readonly string[], pricing: Pricing): readonly ConstantMember[] {
  if (Object.keys(pricing).length === 0) return constantMembers;
  const has = (...kinds: string[]) => kinds.some((kind) => pricing[kind] !== undefined);
  const billsTokens = output.includes('text') && has('prompt', 'completion');
  const isUnknown: Partial<Record<ConstantMember, boolean>> = {
    prompt: billsTokens && !has('prompt'),
    completion: billsTokens && !has('completion'),
    image: output.includes('image') && !has('image', 'image_output', 'completion', 'request'),
  };
  return constantMembers.filter((member) => isUnknown[member]);
}
