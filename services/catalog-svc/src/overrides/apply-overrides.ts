import type { CatalogueOverride } from '@tallyport/contracts';
import type { Ingredients } from '../ingredients.ts';
import { applyLayer } from '../layers/apply-layer.ts';
import { type Layer, LayerError, parseLayer } from '../layers/layer.ts';

/** The ingredients with the overrides applied, and why some were not. */
interface OverrideResult {
  ingredients: Ingredients;
  problems: ReadonlyMap<string, LayerError>;
}

/** The name of an override. */
export const overrideKey = ({ kind, id }: Pick<CatalogueOverride, 'kind' | 'id'>): string => `${kind} ${id}`;

/** One override as a layer. Throws LayerError if its value is malformed. */
export const overrideLayer = ({ kind, id, value }: CatalogueOverride): Layer =>
  parseLayer(kind === 'model' ? { models: { [id]: value } } : { providers: { [id]: value } });

/**
 * Applies overrides to the files. One that does not fit is left out without affecting the others, because what it
 * changed may have changed since.
 */
export function applyOverrides(
  base: Ingredients,
  overrides: readonly CatalogueOverride[],
  builtIn: ReadonlySet<string>,
): OverrideResult {
  try {
    // Applying all at once takes as long as applying one, and there may be thousands.
    return { ingredients: applyLayer(base, merged(overrides), builtIn), problems: new Map() };
  } catch (error) {
    if (!(error instanceof LayerError)) throw error;
    return applyOneByOne(base, overrides, builtIn);
  }
}

function merged(overrides: readonly CatalogueOverride[]): Layer {
  const layers = overrides.map(overrideLayer);
  return {
    providers: Object.assign({}, ...layers.map(({ providers }) => providers)),
    models: Object.assign({}, ...layers.map(({ models }) => models)),
    routes: {},
  };
}

function applyOneByOne(
  base: Ingredients,
  overrides: readonly CatalogueOverride[],
  builtIn: ReadonlySet<string>,
): OverrideResult {
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
