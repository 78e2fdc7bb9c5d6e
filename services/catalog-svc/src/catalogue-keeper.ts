import { isDeepStrictEqual } from 'node:util';
import type { Catalogue, CatalogueOverride } from '@tallyport/contracts';
import type { UnknownModels } from '@tallyport/dispatch';
import type { ProviderTargets } from '@tallyport/serving/upstreams';
import { buildCatalogue } from './build-catalogue.ts';
import type { ListedModels } from './discovery/discovery.ts';
import { withListed } from './discovery/with-listed.ts';
import type { Ingredients } from './ingredients.ts';
import { applyLayer } from './layers/apply-layer.ts';
import type { Layer, LayerError } from './layers/layer.ts';
import { createModelLists, type ModelLists } from './list/model-list.ts';
import { applyOverrides, overrideKey, overrideLayer } from './overrides/apply-overrides.ts';

interface KeeperOptions {
  /** The data files of this repository. */
  base: Ingredients;
  /** The providers with a built-in adapter. */
  builtIn: ReadonlySet<string>;
  sandbox: boolean;
  now(): number;
  /** How providers are reached, which decides whether a model can be called. */
  targets: ProviderTargets;
  unknownModels: UnknownModels;
  /** Called when another catalogue is in force. */
  onChange(catalogue: Catalogue): void;
}

/** The catalogue in force: the data files, then the operator's file, then the overrides. Does no I/O. */
export interface CatalogueKeeper {
  catalogue(): Catalogue;
  lists(): ModelLists;
  /** Throws LayerError and keeps the previous layer if the new one does not fit. */
  setOperatorLayer(layer: Layer): void;
  setOverrides(overrides: readonly CatalogueOverride[]): void;
  /** Sets the models that servers list themselves. */
  setListed(listed: ListedModels): void;
  /** Why an override has no effect; `undefined` if it has one. */
  problemWith(override: Pick<CatalogueOverride, 'kind' | 'id'>): LayerError | undefined;
  /** Throws LayerError if this override would have no effect. */
  check(override: CatalogueOverride): void;
  /** Rebuilds the catalogue if a date in it has passed. */
  checkDates(): void;
}

export function createCatalogueKeeper(options: KeeperOptions): CatalogueKeeper {
  const { base, builtIn, sandbox, now, targets, unknownModels } = options;
  let withFile = base;
  let overrides: readonly CatalogueOverride[] = [];
  let listed: ListedModels = new Map();
  let overridden = applyOverrides(withFile, overrides, builtIn);
  let catalogue = buildCatalogue(overridden.ingredients, { sandbox, now: now() });
  let lists = listsOf(catalogue);
  let validUntil = changeOf(catalogue);

  function listsOf(built: Catalogue): ModelLists {
    targets.setCustom(built.providers ?? []);
    return createModelLists(built, { targets, now, unknownModels });
  }

  function rebuild(): void {
    overridden = applyOverrides(withFile, overrides, builtIn);
    const built = buildCatalogue(withListed(overridden.ingredients, listed), { sandbox, now: now() });
    validUntil = changeOf(built);
    const isNew = built.version !== catalogue.version;
    catalogue = built;
    if (!isNew) return;
    lists = listsOf(catalogue);
    options.onChange(catalogue);
  }

  /** What holds now, also if a date has passed since the last check. */
  function inForce(): Catalogue {
    if (now() >= validUntil) rebuild();
    return catalogue;
  }

  return {
    catalogue: inForce,
    lists: () => lists,
    setOperatorLayer(layer) {
      withFile = applyLayer(base, layer, builtIn);
      rebuild();
    },
    setOverrides(rows) {
      // Overrides are read every few seconds, and applying many of them to a large catalogue takes a while.
      if (isDeepStrictEqual(rows, overrides)) return;
      overrides = rows;
      rebuild();
    },
    setListed(models) {
      listed = models;
      rebuild();
    },
    problemWith: (name) => overridden.problems.get(overrideKey(name)),
    check(override) {
      const others = overrides.filter((other) => overrideKey(other) !== overrideKey(override));
      applyLayer(applyOverrides(withFile, others, builtIn).ingredients, overrideLayer(override), builtIn);
    },
    checkDates: () => void inForce(),
  };
}

/** When another catalogue is in force. */
const changeOf = ({ next }: Catalogue): number => (next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next.at));
