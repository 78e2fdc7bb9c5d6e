import type { Catalogue, Model, Offer } from '@tallyport/contracts';
import type { z } from 'zod';
import type { Feature } from '../data-file.ts';
import type { ForeignCatalogue, ForeignFacts } from './models-dev.ts';

/** A figure that differs between the document and the catalogue. */
export interface Difference {
  modelId: string;
  providerId: string;
  /** `pricing.prompt`, `contextLength` … */
  member: string;
  ours: string | undefined;
  theirs: z.core.util.JSONType;
}

/** Compares the document with the catalogue, model by model. Figures missing in the document are ignored. */
export const findDifferences = ({ models }: Catalogue, foreign: Pick<ForeignCatalogue, 'find'>): Difference[] =>
  models.flatMap((model) =>
    model.offers.flatMap((offer) => {
      const facts = foreign.find(offer.providerId, offer.modelName);
      return facts === undefined ? [] : differencesOf(model, offer, facts);
    }),
  );

function differencesOf(model: Model, offer: Offer, facts: ForeignFacts): Difference[] {
  const about = { modelId: model.id, providerId: offer.providerId };
  const differences = [
    ...priceDifferences(offer, facts),
    ...limitDifferences(offer, facts),
    ...featureDifferences(model, offer, facts),
  ];
  return differences.map((difference) => ({ ...about, ...difference }));
}

type Figure = Omit<Difference, 'modelId' | 'providerId'>;

function priceDifferences(offer: Offer, { pricing, priceTiers }: ForeignFacts): Figure[] {
  const prices = Object.entries(pricing)
    .filter(([kind, theirs]) => Number(offer.pricing[kind] ?? '-1') !== Number(theirs))
    .map(([kind, theirs]) => ({ member: `pricing.${kind}`, ours: offer.pricing[kind], theirs }));
  // The document has a single tier, so it cannot judge an offer with its own tiers.
  if (priceTiers === undefined || offer.priceTiers !== undefined) return prices;
  return [...prices, { member: 'priceTiers', ours: undefined, theirs: priceTiers }];
}

const limitDifferences = (offer: Offer, facts: ForeignFacts): Figure[] =>
  (['contextLength', 'maxOutput'] as const).flatMap((member) => {
    const [ours, theirs] = [offer[member], facts[member]];
    if (theirs === undefined || ours === theirs) return [];
    return [{ member, ours: ours === undefined ? undefined : String(ours), theirs }];
  });

/** For chat models only: the inputs of an image model depend on our adapter. */
function featureDifferences(model: Model, offer: Offer, { features }: ForeignFacts): Figure[] {
  if (model.outputModalities.includes('image')) return [];
  const ours = featuresOf(model, offer);
  const others = [...features].filter(([feature, has]) => feature !== 'sampling' && ours.has(feature) !== has);
  if (others.length === 0) return [];
  const theirs = new Set(ours);
  for (const [feature, has] of others) {
    for (const each of withDependents(feature, has)) {
      if (has) theirs.add(each);
      else theirs.delete(each);
    }
  }
  return [{ member: 'features', ours: [...ours].join(' '), theirs: [...theirs] }];
}

/** Without tools there are no parallel calls; a model that follows a schema can also write JSON. */
function withDependents(feature: Feature, has: boolean): Feature[] {
  if (feature === 'tools' && !has) return ['tools', 'parallelToolCalls'];
  return feature === 'structured' && has ? ['structured', 'json'] : [feature];
}

function featuresOf(model: Model, offer: Offer): Set<Feature> {
  const known: [Feature, boolean | undefined][] = [
    ['streaming', offer.streaming],
    ['vision', offer.vision],
    ['tools', offer.tools],
    ['parallelToolCalls', offer.parallelToolCalls],
    ['reasoning', offer.reasoning],
    ['sampling', model.supportedParameters.includes('temperature')],
    ['json', offer.jsonOutput],
    ['structured', offer.structuredOutputs],
  ];
  return new Set(known.flatMap(([feature, has]) => (has === true ? [feature] : [])));
}
