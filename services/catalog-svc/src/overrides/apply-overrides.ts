import type { CatalogueOverride } from '@switchyard/contracts';
import type { Ingredients } from '../ingredients.ts';
import { applyLayer } from '../layers/apply-layer.ts';
import { type Layer, LayerError, parseLayer } from '../layers/layer.ts';

/** What the overrides made of the ingredients, and why some of them could not take part. */
export interface Overridden {
  ingredients: Ingredients;
  problems: ReadonlyMap<string, LayerError>;
}

/** Together these name an override. */
export const overrideKey = ({ kind, id }: Pick<CatalogueOverride, 'kind' | 'id'>): string => `${kind} ${id}`;

/** One override as a layer. Throws LayerError where its value has not the form of one. */
export const overrideLayer = ({ kind, id, value }: CatalogueOverride): Layer =>
  parseLayer(kind === 'model' ? { models: { [id]: value } } : { providers: { [id]: value } });

/**
 * Lays overrides over the files, one after the other. One that does not fit is left out and the others count: what it
 * was made for may have changed since.
 */
export function applyOverrides(
  base: Ingredients,
  overrides: readonly CatalogueOverride[],
  builtIn: ReadonlySet<string>,
): Overridden {
  const problems = new Map<string, LayerError>();
  let ingredients = base;
  for (const override of overrides) {
    try {
      ingredients = applyLayer(ingredients, overrideLayer(override), builtIn);
    } catch (error) {
      if (!(error instanceof LayerError)) throw error;
      problems.set(overrideKey(override), error);
    }
  }
  return { ingredients, problems };
}
