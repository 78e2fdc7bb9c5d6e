import type { Model, Offer } from '@tallyport/contracts';

/** A model of the list: one of the catalogue, or a route. */
export interface ShownModel extends Model {
  /** The models that answer for a route. Its offers are theirs. */
  targets?: readonly Model[];
}

/** The models that are called for it: itself, or the targets of a route. */
export const calledModels = (model: ShownModel): readonly Model[] => model.targets ?? [model];

/** The model that an offer of it is one of. */
export const modelOfOffer = (model: ShownModel, offer: Offer): Model =>
  calledModels(model).find(({ offers }) => offers.includes(offer)) ?? model;
