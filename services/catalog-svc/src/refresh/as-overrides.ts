import type { CatalogueOverride, StoredOverride } from '@tallyport/contracts';
import { z } from 'zod';
import type { Difference } from './differences.ts';
import type { NewOffer } from './new-offers.ts';

const members = z.record(z.string(), z.json());
type Members = z.infer<typeof members>;

/** The source of the document and the day it was read; stored with every figure taken from it. */
export interface Origin {
  source: string;
  asOf: string;
}

/** How a document differs from the catalogue. */
export interface DocumentChanges {
  differences: readonly Difference[];
  newOffers: readonly NewOffer[];
}

/** The changes as overrides, one per model, merged with the existing overrides. */
export function asOverrides(
  { differences, newOffers }: DocumentChanges,
  existing: readonly StoredOverride[],
  { source, asOf }: Origin,
): CatalogueOverride[] {
  const origin = { source, asOf };
  const changes: Change[] = [
    ...differences.map((difference): Change => ({
      modelId: difference.modelId,
      apply: (value) => withDifference(value, difference, origin),
    })),
    ...newOffers.map((newOffer): Change => ({
      modelId: newOffer.modelId,
      apply: (value) => withNewOffer(value, newOffer, origin),
    })),
  ];
  return [...Map.groupBy(changes, ({ modelId }) => modelId)].map(([id, those]) => {
    const before = existing.find((override) => override.kind === 'model' && override.id === id)?.value;
    return { kind: 'model', id, value: those.reduce((value, { apply }) => apply(value), membersOf(before)) };
  });
}

interface Change {
  modelId: string;
  apply(value: Members): Members;
}

function withDifference(value: Members, { providerId, member, theirs }: Difference, origin: Members): Members {
  const offers = membersOf(value['offers']);
  const offer = membersOf(offers[providerId]);
  const [outer = member, inner] = member.split('.');
  const changed = inner === undefined ? theirs : { ...membersOf(offer[outer]), [inner]: theirs };
  return { ...value, offers: { ...offers, [providerId]: { ...offer, [outer]: changed, ...origin } } };
}

function withNewOffer(value: Members, { isModel, offer, features }: NewOffer, origin: Members): Members {
  const { providerId, modelName, pricing, priceTiers, contextLength, maxOutput } = offer;
  const entry = membersOf({
    model: modelName,
    pricing,
    ...(priceTiers && { priceTiers }),
    ...(contextLength && { contextLength }),
    ...(maxOutput && { maxOutput }),
    features,
    ...origin,
  });
  const described = isModel ? { ...modelMembers(offer, features), ...value } : value;
  return { ...described, offers: { ...membersOf(value['offers']), [providerId]: entry } };
}

/** A new model is described by its first offer. */
const modelMembers = (offer: NewOffer['offer'], features: NewOffer['features']): Members =>
  membersOf({
    name: offer.name,
    family: familyOf(offer),
    description: `${offer.name}, added from a list of models.`,
    ...(offer.created && { created: offer.created }),
    input: ordered(offer.input),
    output: offer.output.includes('image') ? ordered(offer.output) : ['text'],
    ...(offer.contextLength && { contextLength: offer.contextLength }),
    ...(offer.maxOutput && { maxOutput: offer.maxOutput }),
    features,
  });

const ordered = (kinds: readonly string[]): string[] =>
  ['text', 'image', 'audio', 'video', 'file'].filter((kind) => kinds.includes(kind));

/** The family of `maker/model` at a reseller is its maker. */
const familyOf = ({ providerId, modelName }: NewOffer['offer']): string =>
  modelName.includes('/') ? modelName.slice(0, modelName.indexOf('/')).toLowerCase() : providerId;

const membersOf = (value: unknown): Members => members.safeParse(value).data ?? {};
