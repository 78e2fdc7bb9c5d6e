import type { Catalogue, CustomProvider, Model } from '@switchyard/contracts';

/** The catalogue, ready for look-ups. Made once per version, not per request. */
export interface ModelIndex {
  readonly version: string;
  models(): readonly Model[];
  /** Providers that are not built in. */
  readonly customProviders: readonly CustomProvider[];
  /** By id or alias. */
  find(name: string): Model | undefined;
  /** By the provider's own name of the model. */
  findAtProvider(providerId: string, modelName: string): Model | undefined;
  hasProvider(providerId: string): boolean;
  /** Every name a client may ask for, without prefixes. */
  names(): readonly string[];
}

export function indexCatalogue(catalogue: Catalogue): ModelIndex {
  const byName = new Map<string, Model>();
  const byProvider = new Map<string, Map<string, Model>>();
  for (const model of catalogue.models) {
    for (const { providerId, modelName } of model.offers) {
      const names = byProvider.get(providerId) ?? new Map<string, Model>();
      if (!names.has(modelName)) names.set(modelName, model);
      byProvider.set(providerId, names);
    }
  }
  // An id is stronger than another model's alias, whatever their order.
  for (const model of catalogue.models) for (const alias of model.aliases) byName.set(alias, model);
  for (const model of catalogue.models) byName.set(model.id, model);
  const names = [...byName.keys()];
  return {
    version: catalogue.version,
    customProviders: catalogue.providers ?? [],
    models: () => catalogue.models,
    find: (name) => byName.get(name),
    findAtProvider: (providerId, modelName) => byProvider.get(providerId)?.get(modelName),
    hasProvider: (providerId) => byProvider.has(providerId),
    names: () => names,
  };
}
