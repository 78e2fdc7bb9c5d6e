import type { Catalogue, Model } from '@tallyport/contracts';
import { findChatProvider, findImageProvider } from '@tallyport/providers';
import type { Feature } from '../data-file.ts';
import type { ForeignOffer } from './models-dev.ts';

/** An offer of the document that is not in the catalogue. */
export interface NewOffer {
  modelId: string;
  /** Its model is not in the catalogue either. */
  isModel: boolean;
  offer: ForeignOffer;
  features: readonly Feature[];
}

/**
 * Finds offers of known providers with a supported endpoint and a price. One whose name, without a reseller's prefix,
 * is a model of the catalogue becomes an offer of that model.
 */
export function findNewOffers({ models }: Catalogue, offers: readonly ForeignOffer[]): NewOffer[] {
  const names = new Map(models.flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model] as const)));
  const known = new Set(models.flatMap(offerNames));
  const taken = new Set(
    models.flatMap(({ id, offers: those }) => those.map(({ providerId }) => `${providerId} ${id}`)),
  );
  const newOffers: NewOffer[] = [];
  for (const offer of offers) {
    if (known.has(`${offer.providerId} ${offer.modelName}`) || !isServed(offer)) continue;
    const short = offer.modelName.slice(offer.modelName.lastIndexOf('/') + 1).toLowerCase();
    const id = names.get(short)?.id ?? short;
    // A second offer of the same provider becomes a separate model, because its figures may differ.
    const modelId = taken.has(`${offer.providerId} ${id}`) ? offer.modelName : id;
    if (taken.has(`${offer.providerId} ${modelId}`) || (modelId !== id && names.has(modelId))) continue;
    taken.add(`${offer.providerId} ${modelId}`);
    newOffers.push({ modelId, isModel: !names.has(modelId), offer, features: featuresOf(offer) });
  }
  return newOffers;
}

const offerNames = ({ aliases, offers }: Model): string[] =>
  offers.flatMap(({ providerId, modelName }) => [modelName, ...aliases].map((name) => `${providerId} ${name}`));

/** In the document, such models differ from chat models only by their names. */
const otherEndpoints = /embed|rerank|tts|speech|whisper|transcri|moderation|realtime|guard/i;
const printable = /^[\x21-\x7e]{1,200}$/;

function isServed({ providerId, modelName, pricing, output, deprecated }: ForeignOffer): boolean {
  if (deprecated || otherEndpoints.test(modelName) || !printable.test(modelName)) return false;
  if (pricing['prompt'] === undefined || pricing['completion'] === undefined) return false;
  if (output.every((kind) => kind === 'image')) return findImageProvider(providerId) !== undefined;
  return output.includes('text') && isVendor(providerId);
}

/** Self-hosted servers are excluded, because only their operators know their models. */
function isVendor(providerId: string): boolean {
  const auth = findChatProvider(providerId)?.auth;
  return auth !== undefined && !(auth.kind === 'bearer' && auth.optional === true);
}

function featuresOf({ features, output }: ForeignOffer): Feature[] {
  const has = [...features].flatMap(([feature, is]) => (is ? [feature] : []));
  if (!output.includes('text')) return has.filter((feature) => feature === 'vision');
  return ['streaming', ...has, ...(has.includes('structured') ? (['json'] as const) : [])];
}
