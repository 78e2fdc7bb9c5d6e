import { modelEntrySchema, type OfferEntry } from '../data-file.ts';
import type { Ingredient } from '../ingredients.ts';
import { changedPrices } from '../prices/changed-prices.ts';
import { type ModelChange, type OfferChange, type LayerProblem, problemsOf } from './layer.ts';

/** The assumed members of a model for which an operator set only the offers. */
const assumedModel = (id: string): Ingredient => ({
  id,
  name: id,
  aliases: [],
  description: 'Added by the operator of this gateway.',
  family: 'custom',
  simulated: false,
  input: ['text'],
  output: ['text'],
  features: ['streaming', 'sampling'],
  offers: [],
});

/** Returns the changed model, or the problems with it, with paths relative to the model. */
export function applyModelChange(
  id: string,
  before: Ingredient | undefined,
  { family, offers: offerChanges = {}, ...change }: ModelChange,
): Ingredient | LayerProblem[] {
  const { family: familyBefore, simulated, offers, ...entry } = before ?? assumedModel(id);
  const changed = changeOffers(offers, offerChanges);
  const problems = changed.flatMap((offer) => ('path' in offer ? [offer] : []));
  if (problems.length > 0) return problems;
  const parsed = modelEntrySchema.safeParse({ ...entry, id, ...change, offers: changed });
  if (!parsed.success) return problemsOf(parsed.error);
  return { ...parsed.data, family: family ?? familyBefore, simulated };
}

function changeOffers(
  offers: readonly OfferEntry[],
  changes: Readonly<Record<string, OfferChange | null>>,
): (OfferEntry | LayerProblem)[] {
  const byProvider = new Map<string, OfferEntry | LayerProblem>(offers.map((offer) => [offer.provider, offer]));
  for (const [provider, change] of Object.entries(changes)) {
    const before = offers.find((offer) => offer.provider === provider);
    if (change === null) byProvider.delete(provider);
    else byProvider.set(provider, changeOffer(provider, before, change));
  }
  return [...byProvider.values()];
}

function changeOffer(provider: string, before: OfferEntry | undefined, change: OfferChange): OfferEntry | LayerProblem {
  const model = change.model ?? before?.model;
  if (model === undefined) {
    return { path: ['offers', provider], message: "needs model, the provider's name of the model." };
  }
  const tiers = { ...before?.tiers, ...change.tiers };
  return {
    ...before,
    ...change,
    provider,
    model,
    ...changedPrices(before, change),
    ...(Object.keys(tiers).length > 0 && { tiers }),
  };
}
