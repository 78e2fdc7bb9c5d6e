import type { Offer, RequestHead } from '@tallyport/contracts';
import type { ShownModel } from './shown-model.ts';

/** How an API describes models. */
export interface ModelForm {
  /** Distinguishes the lists of one caller in the cache. */
  readonly name: string;
  /** Throws `invalid_parameters` for a wrong value. */
  readPage(query: URLSearchParams): ModelPage;
  /** The JSON of a list, or of one page of it. Throws `invalid_parameters` for a page that is not in it. */
  list(models: readonly ShownModel[], page: ModelPage, view: ModelView): string;
  /** The JSON of one model. */
  one(model: ShownModel, view: ModelView): string;
}

/** A part of a list. Without members it is the whole list, or the first page of a form that has pages. */
export interface ModelPage {
  size?: number;
  /** The page begins after the model with this id. */
  after?: string;
  /** The page ends before the model with this id. */
  before?: string;
}

/** What a list shows besides the catalogue. */
export interface ModelView {
  /** Milliseconds since 1970. */
  now: number;
  /** Why an offer cannot be called now; `undefined` if it can. */
  whyNot(model: ShownModel, offer: Offer): string | undefined;
}

export type FormOf = (head: Pick<RequestHead, 'headers'>) => ModelForm;
