/** The label of models whose offers have no series of their own, and of values that are not allowed. */
export const otherValue = 'other';

/** The offers that have series of their own, the same ones in all metrics of a process. */
export interface NamedOffers {
  /** Returns the label of the model at this provider. Only the first offers that are called get their model's name. */
  modelLabel(provider: string, model: string): string;
}

export function createNamedOffers(cap: number): NamedOffers {
  const models = new Map<string, Set<string>>();
  let size = 0;
  return {
    modelLabel(provider, model) {
      const named = models.get(provider) ?? new Set();
      if (named.has(model) || model === otherValue) return model;
      if (size >= cap) return otherValue;
      models.set(provider, named.add(model));
      size += 1;
      return model;
    },
  };
}
