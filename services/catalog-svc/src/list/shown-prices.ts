import type { Model, Offer } from '@tallyport/contracts';

type Pricing = Offer['pricing'];
type Prices = Record<string, string>;

/** The members of a record that are always there if its prices are known: "0" where the model bills nothing. */
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
  if (offer === undefined) return {};
  const prices = shownPrices(model, offer, constantMembers);
  const { completion } = prices;
  const isThinking = offer.reasoning && offer.pricing['internal_reasoning'] === undefined && completion !== undefined;
  return isThinking ? { ...prices, internal_reasoning: completion } : prices;
}

/** Of each kind the highest price of these models. Unknown if it is unknown for one of them, and billed by it. */
export function dearestPrices(models: readonly Model[]): Prices {
  const lists = models.map(modelPrices);
  const members = new Set(lists.flatMap(Object.keys));
  return Object.fromEntries([...members].flatMap((member) => dearest(member, lists)));
}

function dearest(member: string, lists: readonly Prices[]): [string, string][] {
  const isConstant = constantMembers.some((each) => each === member);
  const prices = lists.map((list) => list[member] ?? (isConstant ? undefined : '0'));
  const known = prices.filter((price) => price !== undefined);
  const [first, ...others] = known;
  if (first === undefined || known.length < prices.length) return [];
  return [[member, others.reduce((high, price) => (Number(price) > Number(high) ? price : high), first)]];
}

export const offerPrices = (model: Pick<Model, 'outputModalities'>, offer: Offer): Prices =>
  shownPrices(model, offer, offerMembers);

function shownPrices(
  { outputModalities }: Pick<Model, 'outputModalities'>,
  { pricing }: Offer,
  members: readonly ConstantMember[],
): Prices {
  const unknown = unknownMembers(outputModalities, pricing);
  const known = members.filter((member) => !unknown.includes(member));
  return Object.fromEntries([
    ...known.map((member) => [member, pricing[member] ?? '0']),
    ...furtherMembers.flatMap((member) => (pricing[member] === undefined ? [] : [[member, pricing[member]]])),
  ]);
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
