import type { Model, Offer } from '@tallyport/contracts';

/** A model of the list: one of the catalogue, or a route. */
export interface ShownModel extends Model {
  /** The models that answer for a route. */
  targets?: readonly Model[];
  /** Those that a route asks under a condition, or after its targets. */
  others?: readonly Model[];
}

/** The models that may be called for it: itself, or those of a route, whose offers are theirs. */
export const calledModels = (model: ShownModel): readonly Model[] =>
  model.targets === undefined ? [model] : [...model.targets, ...(model.others ?? [])];

/** The model that an offer of it is one of. */
export const modelOfOffer = (model: ShownModel, offer: Offer): Model =>
  calledModels(model).find(({ offers }) => offers.includes(offer)) ?? model;
