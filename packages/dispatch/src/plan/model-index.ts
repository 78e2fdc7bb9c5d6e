import type { Catalogue, CustomProvider, Model, Route } from '@tallyport/contracts';
import { relateOffers } from '@tallyport/pricing';
import { chatProviders } from '@tallyport/providers';
import type { UnknownModels } from './unknown-model.ts';

/** The catalogue, indexed for look-ups. Built once per version, not per request. */
export interface ModelIndex {
  readonly version: string;
  models(): readonly Model[];
  /** Providers that are not built in. */
  readonly customProviders: readonly CustomProvider[];
  /** By id or alias. */
  find(name: string): Model | undefined;
  /** By the provider's name of the model. */
  findAtProvider(providerId: string, modelName: string): Model | undefined;
  /** Built in, added by an operator, or named by an offer. */
  hasProvider(providerId: string): boolean;
  providers(): readonly string[];
  readonly unknownModels: UnknownModels;
  /** Whether this is the name of a simulated model, and these are off. */
  isSimulatedOff(name: string): boolean;
  /** The operator's route of this name. */
  findRoute(name: string): Route | undefined;
  /** Every model name that clients may use, without provider prefixes. */
  names(): readonly string[];
}

export function indexCatalogue(catalogue: Catalogue, unknownModels: UnknownModels = 'refuse'): ModelIndex {
  const byName = new Map<string, Model>();
  const byProvider = new Map<string, Map<string, Model>>();
  for (const model of catalogue.models) {
    for (const { providerId, modelName } of model.offers) {
      const names = byProvider.get(providerId) ?? new Map<string, Model>();
      if (!names.has(modelName)) names.set(modelName, model);
      byProvider.set(providerId, names);
    }
  }
  // Ids win over aliases of other models, in any order.
  for (const model of catalogue.models) for (const alias of model.aliases) byName.set(alias, model);
  for (const model of catalogue.models) byName.set(model.id, model);
  relateOffers(
    catalogue.models.flatMap(({ offers }) => offers),
    (providerId, modelName) =>
      (byProvider.get(providerId)?.get(modelName) ?? byName.get(modelName))?.offers.find(
        (offer) => offer.providerId === providerId,
      ),
  );
  const names = [...byName.keys()];
  const others = new Set([...chatProviders, ...(catalogue.providers ?? [])].map(({ id }) => id));
  const providers = [...new Set([...byProvider.keys(), ...others])];
  const simulatedOff = new Set(catalogue.simulatedOff);
  const routes = new Map(Object.entries(catalogue.routes ?? {}));
  return {
    version: catalogue.version,
    customProviders: catalogue.providers ?? [],
    models: () => catalogue.models,
    find: (name) => byName.get(name),
    findAtProvider: (providerId, modelName) => byProvider.get(providerId)?.get(modelName),
    hasProvider: (providerId) => byProvider.has(providerId) || others.has(providerId),
    providers: () => providers,
    unknownModels,
    isSimulatedOff: (name) => simulatedOff.has(name),
    findRoute: (name) => routes.get(name),
    names: () => names,
  };
}
