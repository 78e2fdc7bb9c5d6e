import type { Catalogue } from '@tallyport/contracts';
import { indexCatalogue, type ModelIndex, type UnknownModels } from '@tallyport/dispatch';

/** The catalogue that a replica holds. At its date it changes by itself, so a price takes force at its moment. */
interface HeldCatalogue {
  /** `undefined` until there is a first one. */
  index(): ModelIndex | undefined;
  /** Takes what catalog-svc answered; only the next change if the version is the one held. */
  take(fetched: Catalogue): void;
}

interface HeldCatalogueOptions {
  unknownModels: UnknownModels;
  /** Called when another version is in force. */
  onLoaded(index: ModelIndex): void;
}

export function holdCatalogue({ unknownModels, onLoaded }: HeldCatalogueOptions): HeldCatalogue {
  let catalogue: Catalogue | undefined;
  let index: ModelIndex | undefined;
  let changesAt = Number.POSITIVE_INFINITY;

  function hold(next: Catalogue): void {
    catalogue = catalogueAt(next, Date.now());
    changesAt = catalogue.next === undefined ? Number.POSITIVE_INFINITY : Date.parse(catalogue.next.at);
    if (catalogue.version === index?.version) return;
    index = indexCatalogue(catalogue, unknownModels);
    onLoaded(index);
  }

  return {
    index() {
      if (catalogue !== undefined && Date.now() >= changesAt) hold(catalogue);
      return index;
    },
    take(fetched) {
      hold(catalogue?.version === fetched.version ? { ...catalogue, next: fetched.next } : fetched);
    },
  };
}

/** The catalogue at a time: once the date of its change has passed, it is changed. */
export function catalogueAt(catalogue: Catalogue, now: number): Catalogue {
  const { next, ...before } = catalogue;
  if (next === undefined || now < Date.parse(next.at)) return catalogue;
  const changed = new Map(next.models.map((model) => [model.id, model]));
  return {
    ...before,
    version: next.version,
    models: before.models.map((model) => changed.get(model.id) ?? model),
  };
}
