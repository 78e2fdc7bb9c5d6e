import { createHash } from 'node:crypto';
import type { Catalogue, Model, Offer } from '@switchyard/contracts';
import type { Feature, ModelEntry, OfferEntry } from './data-file.ts';
import type { Ingredient, Ingredients } from './ingredients.ts';
import { supportedParameters } from './supported-parameters.ts';

export interface BuildOptions {
  /** Whether simulated models are there. */
  sandbox: boolean;
  /** Milliseconds since 1970: what is deprecated depends on the day. */
  now: number;
}

/** From what people write to what services read. The version changes with the content and with nothing else. */
export function buildCatalogue(ingredients: Ingredients, { sandbox, now }: BuildOptions): Catalogue {
  const models = [...ingredients.models.values()]
    .filter(({ simulated }) => !simulated || sandbox)
    .map((entry) => buildModel(entry, ingredients.priorities, now));
  const providers = [...ingredients.providers.values()];
  const content = { models, ...(providers.length > 0 && { providers }) };
  const version = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);
  return { version, ...content };
}

function buildModel(entry: Ingredient, priorities: ReadonlyMap<string, number>, now: number): Model {
  const { id, name, aliases, created, description, family } = entry;
  const stability = stabilityOf(entry, now);
  const offers = entry.offers.map((offer) => buildOffer(offer, { entry, stability, priorities }));
  return {
    id,
    name,
    aliases,
    created,
    description,
    family,
    inputModalities: entry.input,
    outputModalities: entry.output,
    ...given(entry, ['contextLength', 'maxOutput', 'tokenizer', 'moderated', 'reasoningEfforts']),
    jsonOutput: offers.some(({ jsonOutput }) => jsonOutput),
    structuredOutputs: offers.some(({ structuredOutputs }) => structuredOutputs),
    free: offers.every(({ pricing }) => Object.values(pricing).every((price) => Number(price) === 0)),
    ...given(entry, ['deprecatedAt', 'deactivatedAt', 'replacement']),
    stability,
    supportedParameters: supportedParameters(entry),
    offers,
  };
}

interface OfferCircumstances {
  entry: ModelEntry;
  stability: string;
  priorities: ReadonlyMap<string, number>;
}

function buildOffer(offer: OfferEntry, { entry, stability, priorities }: OfferCircumstances): Offer {
  const has = (feature: Feature) => (offer.features ?? entry.features).includes(feature);
  const priority = offer.priority ?? priorities.get(offer.provider);
  const limits = {
    ...given(entry, ['contextLength', 'maxOutput', 'deactivatedAt']),
    ...given(offer, ['contextLength', 'maxOutput', 'deactivatedAt']),
  };
  return {
    providerId: offer.provider,
    modelName: offer.model,
    pricing: offer.pricing,
    ...given(offer, ['priceTiers']),
    ...(priority !== undefined && { priority }),
    streaming: has('streaming'),
    vision: has('vision'),
    tools: has('tools'),
    parallelToolCalls: has('parallelToolCalls'),
    reasoning: has('reasoning'),
    jsonOutput: has('json') || has('structured'),
    structuredOutputs: has('structured'),
    // Leaving a stream closes its socket at every provider.
    cancellation: has('streaming'),
    stability: stability === 'deactivated' ? stability : (offer.stability ?? stability),
    ...limits,
  };
}

/** The dates know best; an announced end counts as deprecation. */
function stabilityOf({ deprecatedAt, deactivatedAt, stability }: ModelEntry, now: number): string {
  const isPast = (date: string | undefined) => date !== undefined && Date.parse(date) <= now;
  if (isPast(deactivatedAt)) return 'deactivated';
  if (isPast(deprecatedAt) || deactivatedAt !== undefined) return 'deprecated';
  return stability ?? 'stable';
}

/** These members, where they are known. */
function given<Entry extends object, Key extends keyof Entry>(
  entry: Entry,
  keys: readonly Key[],
): { [Name in Key]?: Exclude<Entry[Name], undefined> };
function given(entry: object, keys: readonly string[]): object {
  const members = new Map<string, unknown>(Object.entries(entry));
  return Object.fromEntries(keys.flatMap((key) => (members.get(key) === undefined ? [] : [[key, members.get(key)]])));
}
