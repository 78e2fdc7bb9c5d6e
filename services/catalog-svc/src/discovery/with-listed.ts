import type { ListedModel } from '@tallyport/dispatch';
import type { Feature, OfferEntry } from '../data-file.ts';
import type { Ingredient, Ingredients } from '../ingredients.ts';
import type { ListedModels } from './discovery.ts';

/**
 * Adds the models that servers list to those of the catalogue, and removes offers that a server does not list. Lists of
 * operators' providers may be incomplete, because the kind of their server is unknown, so nothing is removed for them.
 */
export function withListed(ingredients: Ingredients, listed: ListedModels): Ingredients {
  if (listed.size === 0) return ingredients;
  const models = withoutAbsent(ingredients, listed);
  const names = new Set([...models.values()].flatMap(({ id, aliases }) => [id, ...aliases]));
  const offered = new Set(
    [...models.values()].flatMap(({ offers }) => offers.map((offer) => offerName(offer.provider, offer.model))),
  );
  for (const [provider, list] of listed) {
    for (const model of list) {
      if (offered.has(offerName(provider, model.name)) || otherEndpoints.test(model.name)) continue;
      // If the name belongs to another model, the provider becomes its prefix.
      const id = names.has(model.name) ? `${provider}/${model.name}` : model.name;
      if (names.has(id)) continue;
      names.add(id);
      models.set(id, ingredientOf(id, provider, model));
    }
  }
  return { ...ingredients, models };
}

function withoutAbsent({ models, providers }: Ingredients, listed: ListedModels): Map<string, Ingredient> {
  const present = new Map(
    [...listed]
      .filter(([provider]) => !providers.has(provider))
      .map(([provider, list]) => [provider, new Set(list.map(({ name }) => offerName(provider, name)))] as const),
  );
  const isThere = ({ provider, model }: OfferEntry): boolean =>
    present.get(provider)?.has(offerName(provider, model)) !== false;
  const left = [...models].flatMap(([id, model]): [string, Ingredient][] => {
    const offers = model.offers.filter(isThere);
    return offers.length === 0 ? [] : [[id, offers.length === model.offers.length ? model : { ...model, offers }]];
  });
  return new Map(left);
}

/** Ollama lists `llama3` as `llama3:latest` and accepts both. */
const offerName = (provider: string, model: string): string => `${provider} ${model.replace(/:latest$/, '')}`;

/** Such models differ from chat models only by their names. */
const otherEndpoints = /whisper|tts/i;
const kinds = [
  { names: /rerank/i, output: 'rankings' },
  { names: /embed/i, output: 'embeddings' },
] as const;

/** The list does not say what a model can do, so its server decides. */
const features: Feature[] = ['streaming', 'vision', 'tools', 'parallelToolCalls', 'sampling', 'json', 'structured'];

function ingredientOf(id: string, provider: string, { name, created, contextLength }: ListedModel): Ingredient {
  const offer: OfferEntry = { provider, model: name, pricing: {} };
  const output = kinds.find(({ names }) => names.test(name))?.output ?? 'text';
  const isChat = output === 'text';
  return {
    id,
    name,
    aliases: [],
    ...(created !== undefined && { created }),
    description: `Listed by ${provider}. Its abilities and prices are unknown.`,
    family: provider,
    simulated: false,
    input: isChat ? ['text', 'image'] : ['text'],
    output: [output],
    ...(contextLength !== undefined && { contextLength }),
    features: isChat ? features : [],
    offers: [offer],
  };
}
