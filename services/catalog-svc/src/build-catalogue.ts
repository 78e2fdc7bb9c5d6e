import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Catalogue, Model, Offer } from '@tallyport/contracts';
import { withClassPrices } from './class-prices.ts';
import type { ClassRule, Feature, ModelEntry, OfferEntry, TierRules } from './data-file.ts';
import type { Ingredient, Ingredients } from './ingredients.ts';
import { nextChange } from './list/filters.ts';
import { pricesInForce } from './prices/prices-in-force.ts';
import { supportedParameters } from './supported-parameters.ts';

interface BuildOptions {
  /** Whether to include simulated models. */
  sandbox: boolean;
  /** Milliseconds since 1970; deprecation depends on the date. */
  now: number;
}

/** The catalogue that services read, with what it will be at the next date that changes it. */
export function buildCatalogue(ingredients: Ingredients, options: BuildOptions): Catalogue {
  const catalogue = buildContent(ingredients, options);
  const next = buildNext(catalogue, ingredients, options);
  return next === undefined ? catalogue : { ...catalogue, next };
}

function buildNext({ version, models }: Catalogue, ingredients: Ingredients, options: BuildOptions): Catalogue['next'] {
  const dated = models.map((model) => ({ model, until: nextChange([model], options.now) }));
  for (let at = nextChange(models, options.now); Number.isFinite(at); at = nextChange(models, at)) {
    const kept = new Map(dated.flatMap(({ model, until }) => (until > at ? [[model.id, model]] : [])));
    const then = buildContent(ingredients, { ...options, now: at }, kept);
    if (then.version === version) continue;
    const before = new Map(models.map((model) => [model.id, model]));
    const changed = then.models.filter((model) => !isDeepStrictEqual(model, before.get(model.id)));
    return { at: new Date(at).toISOString(), version: then.version, models: changed };
  }
  return undefined;
}

/** Builds the catalogue from what people write, apart from models in `kept`. The version changes only with the content. */
function buildContent(
  ingredients: Ingredients,
  { sandbox, now }: BuildOptions,
  kept: ReadonlyMap<string, Model> = new Map(),
): Catalogue {
  const models = [...ingredients.models.values()]
    .filter(({ simulated, endpoint }) => (!simulated || sandbox) && endpoint === undefined)
    .map((entry) => kept.get(entry.id) ?? buildModel(entry, ingredients, now));
  const providers = [...ingredients.providers.values()];
  const { routes } = ingredients;
  const simulatedOff = sandbox ? [] : simulatedNames(ingredients);
  const content = {
    models,
    ...(providers.length > 0 && { providers }),
    ...(Object.keys(routes).length > 0 && { routes }),
    ...(simulatedOff.length > 0 && { simulatedOff }),
  };
  const version = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);
  return { version, ...content };
}

const simulatedNames = ({ models }: Ingredients): string[] =>
  [...models.values()].flatMap(({ simulated, id, aliases }) => (simulated ? [id, ...aliases] : []));

function buildModel(
  entry: Ingredient,
  { priorities, tierRules, classRules, gathered }: Ingredients,
  now: number,
): Model {
  const { id, name, aliases, created, description, family } = entry;
  const stability = stabilityOf(entry, now);
  const rules = classRules.get(family) ?? [];
  const offers = entry.offers.map((offer) =>
    buildOffer(offer, { now, entry, stability, priorities, tierRules, rules }),
  );
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
  now: number;
  entry: Ingredient;
  stability: string;
  priorities: ReadonlyMap<string, number>;
  tierRules: TierRules;
  rules: readonly ClassRule[];
}

function buildOffer(
  offer: OfferEntry,
  { now, entry, stability, priorities, tierRules, rules }: OfferCircumstances,
): Offer {
  const has = (feature: Feature) => (offer.features ?? entry.features).includes(feature);
  const priority = offer.priority ?? priorities.get(offer.provider);
  const limits = {
    ...given(entry, ['contextLength', 'maxOutput', 'deactivatedAt', 'reasoningEfforts']),
    ...given(offer, ['contextLength', 'maxOutput', 'deactivatedAt', 'reasoningEfforts']),
  };
  const prices = pricesInForce(offer, now);
  return {
    providerId: offer.provider,
    modelName: offer.model,
    ...prices,
    ...withClassPrices({ ...offer, ...prices }, entry.output.includes('text') ? rules : []),
    ...tiersOf(offer, { entry, prices, rules: tierRules }),
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

interface TierCircumstances {
  entry: Ingredient;
  prices: Pick<Offer, 'pricing'>;
  rules: TierRules;
}

/** Those of the provider and those of the offer. Only chats have service tiers. */
function tiersOf(
  { provider, tiers: own }: OfferEntry,
  { entry: { output, family }, prices: { pricing }, rules }: TierCircumstances,
): Pick<Offer, 'tiers'> {
  const rule = rules[provider];
  const isChat = output.includes('text') && pricing['prompt'] !== undefined;
  const applies = isChat && (rule?.family ?? family) === family;
  const tiers = { ...(applies && rule?.tiers), ...own };
  return Object.keys(tiers).length === 0 ? {} : { tiers };
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
