import type { Catalogue, CatalogueOverride } from '@switchyard/contracts';
import { buildCatalogue } from './build-catalogue.ts';
import type { Ingredients } from './ingredients.ts';
import { applyLayer } from './layers/apply-layer.ts';
import type { Layer, LayerError } from './layers/layer.ts';
import { nextChange } from './list/filters.ts';
import { createModelLists, type ModelLists } from './list/model-list.ts';
import { applyOverrides, overrideKey, overrideLayer } from './overrides/apply-overrides.ts';

export interface KeeperOptions {
  /** Our own data files. */
  base: Ingredients;
  /** Providers with an adapter of ours. */
  builtIn: ReadonlySet<string>;
  sandbox: boolean;
  now(): number;
  /** Another catalogue is in force from now on. */
  onChange(catalogue: Catalogue): void;
}

/** The catalogue in force: data files, over them the operator's file, over it the overrides. Does no I/O. */
export interface CatalogueKeeper {
  catalogue(): Catalogue;
  lists(): ModelLists;
  /** Throws LayerError, and then what was in force stays. */
  setOperatorLayer(layer: Layer): void;
  setOverrides(overrides: readonly CatalogueOverride[]): void;
  /** Why an override has no effect; `undefined` when it has. */
  problemWith(override: Pick<CatalogueOverride, 'kind' | 'id'>): LayerError | undefined;
  /** Throws LayerError when this override would have no effect. */
  check(override: CatalogueOverride): void;
  /** Something may have become deprecated since. */
  timePassed(): void;
}

export function createCatalogueKeeper(options: KeeperOptions): CatalogueKeeper {
  const { base, builtIn, sandbox, now } = options;
  let withFile = base;
  let overrides: readonly CatalogueOverride[] = [];
  let overridden = applyOverrides(withFile, overrides, builtIn);
  let catalogue = buildCatalogue(overridden.ingredients, { sandbox, now: now() });
  let lists = createModelLists(catalogue, now);
  let validUntil = nextChange(catalogue.models, now());

  function rebuild(): void {
    overridden = applyOverrides(withFile, overrides, builtIn);
    const built = buildCatalogue(overridden.ingredients, { sandbox, now: now() });
    validUntil = nextChange(built.models, now());
    if (built.version === catalogue.version) return;
    catalogue = built;
    lists = createModelLists(catalogue, now);
    options.onChange(catalogue);
  }

  return {
    catalogue: () => catalogue,
    lists: () => lists,
    setOperatorLayer(layer) {
      withFile = applyLayer(base, layer, builtIn);
      rebuild();
    },
    setOverrides(rows) {
      overrides = rows;
      rebuild();
    },
    problemWith: (name) => overridden.problems.get(overrideKey(name)),
    check(override) {
      const others = overrides.filter((other) => overrideKey(other) !== overrideKey(override));
      applyLayer(applyOverrides(withFile, others, builtIn).ingredients, overrideLayer(override), builtIn);
    },
    timePassed() {
      if (now() >= validUntil) rebuild();
    },
  };
}
