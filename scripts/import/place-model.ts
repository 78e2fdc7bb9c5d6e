import type { ModelChange, OfferChange } from '../../services/catalog-svc/src/layers/layer.ts';
import type { Draft } from './draft.ts';
import type { Path } from './left-over.ts';
import { unusedName } from './secret-names.ts';

/** A model at a provider, with what the source says of it. */
interface Placement {
  path: Path;
  provider: string;
  /** The provider's name for it. */
  name: string;
  /** The id of a model that the catalogue does not have. */
  wanted: string;
  /** What the source says that it really is. */
  base?: string | undefined;
  offer?: OfferChange;
  /** Facts of a model that the catalogue does not have. */
  facts?: Omit<ModelChange, 'offers'>;
}

/** Finds the model in the catalogue, or adds it or its offer. Returns its id. */
export function placeModel(draft: Draft, placement: Placement): string {
  const { provider, name, base, offer } = placement;
  const found = draft.known.at(provider, name);
  const model = found?.model ?? (base === undefined ? undefined : draft.known.named(base));
  if (model === undefined) return placeNew(draft, placement);
  const change = { ...(found?.isExact !== true && { model: name }), ...offer };
  if (Object.keys(change).length === 0) return model.id;
  return addOffer(draft, { id: model.id, provider, change }) ? model.id : placeNew(draft, placement);
}

/** Returns false if the provider has another offer of the model already. */
function addOffer(
  draft: Draft,
  { id, provider, change }: { id: string; provider: string; change: OfferChange },
): boolean {
  const { offers = {} } = modelOf(draft, id);
  const before = offers[provider];
  if (before?.model !== undefined && before.model !== change.model) return false;
  draft.models.set(id, { ...draft.models.get(id), offers: { ...offers, [provider]: { ...before, ...change } } });
  return true;
}

const modelOf = ({ models }: Draft, id: string): ModelChange => models.get(id) ?? {};

/** Models that the source calls the same and whose provider calls them the same are offers of one model. */
function placeNew(draft: Draft, { path, provider, name, wanted, offer = {}, facts = {} }: Placement): string {
  const { models, known, left } = draft;
  const isFree = (id: string): boolean => {
    if (known.named(id) !== undefined) return false;
    return Object.values(models.get(id)?.offers ?? {}).every((each) => each?.model === name);
  };
  const id = unusedName({ has: (each) => !isFree(each) }, idOf(wanted), '-');
  const before = models.get(id);
  if (before === undefined) left.add(path, newModel, `Check models.${id} of tallyport.yaml.`);
  models.set(id, { ...facts, ...before, offers: { ...before?.offers, [provider]: { model: name, ...offer } } });
  return id;
}

const newModel =
  'The catalogue does not have this model, so what it can do and what it costs is only what the file says.';

const idOf = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, '-').slice(0, 100) || 'model';
