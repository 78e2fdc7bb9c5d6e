import { createHash } from 'node:crypto';
import type { Catalogue, Model, Offer } from '@tallyport/contracts';
import type { Feature, ModelEntry, OfferEntry } from './data-file.ts';
import type { Ingredient, Ingredients } from './ingredients.ts';
import { supportedParameters } from './supported-parameters.ts';

interface BuildOptions {
  /** Whether to include simulated models. */
  sandbox: boolean;
  /** Milliseconds since 1970; deprecation depends on the date. */
  now: number;
}

/** Builds the catalogue that services read from what people write. The version changes only with the content. */
export function buildCatalogue(ingredients: Ingredients, { sandbox, now }: BuildOptions): Catalogue {
  const models = [...ingredients.models.values()]
    .filter(({ simulated, endpoint }) => (!simulated || sandbox) && endpoint === undefined)
    .map((entry) => buildModel(entry, ingredients, now));
  const providers = [...ingredients.providers.values()];
  const simulatedOff = sandbox ? [] : simulatedNames(ingredients);
  const content = {
    models,
    ...(providers.length > 0 && { providers }),
    ...(simulatedOff.length > 0 && { simulatedOff }),
  };
  const version = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);
  return { version, ...content };
}

const simulatedNames = ({ models }: Ingredients): string[] =>
  [...models.values()].flatMap(({ simulated, id, aliases }) => (simulated ? [id, ...aliases] : []));

function buildModel(entry: Ingredient, { priorities, gathered }: Ingredients, now: number): Model {
  const { id, name, aliases, created, description, family } = entry;
  const stability = stabilityOf(entry, now);
  const offers = entry.offers.map((offer) => buildOffer(offer, { entry, stability, priorities }));
  return {
    id,
    name,
    aliases,
    created: created || gathered,
    description,
    family,
    inputModalities: entry.input,
    outputModalities: entry.output,
    ...given(entry, ['contextLength', 'maxOutput', 'tokenizer', 'moderated', 'cached', 'reasoningEfforts']),
    jsonOutput: offers.some(({ jsonOutput }) => jsonOutput),
    structuredOutputs: offers.some(({ structuredOutputs }) => structuredOutputs),
    free: offers.every(isFree),
    ...given(entry, ['deprecatedAt', 'deactivatedAt', 'replacement']),
    stability,
    supportedParameters: supportedParameters(entry),
    offers,
  };
}

/** An offer without any price is not free: its price is unknown. */
function isFree({ pricing }: Offer): boolean {
  const prices = Object.values(pricing);
  return prices.length > 0 && prices.every((price) => Number(price) === 0);
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
    ...given(entry, ['contextLength', 'maxOutput', 'deactivatedAt', 'reasoningEfforts']),
    ...given(offer, ['contextLength', 'maxOutput', 'deactivatedAt', 'reasoningEfforts']),
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
    // Every provider's stream can be cancelled by closing its socket.
    cancellation: has('streaming'),
    stability: stability === 'deactivated' ? stability : (offer.stability ?? stability),
    ...limits,
  };
}

/** Dates take precedence; an announced end counts as deprecation. */
function stabilityOf({ deprecatedAt, deactivatedAt, stability }: ModelEntry, now: number): string {
  const isPast = (date: string | undefined) => date !== undefined && Date.parse(date) <= now;
  if (isPast(deactivatedAt)) return 'deactivated';
  if (isPast(deprecatedAt) || deactivatedAt !== undefined) return 'deprecated';
  return stability ?? 'stable';
}

/** Those of these members that are known. */
function given<Entry extends object, Key extends keyof Entry>(
  entry: Entry,
  keys: readonly Key[],
): { [Name in Key]?: Exclude<Entry[Name], undefined> };
function given(entry: object, keys: readonly string[]): object {
  const members = new Map<string, unknown>(Object.entries(entry));
  return Object.fromEntries(keys.flatMap((key) => (members.get(key) === undefined ? [] : [[key, members.get(key)]])));
}
