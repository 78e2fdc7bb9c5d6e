import { GatewayError, type Model } from '@tallyport/contracts';
import type { ModelPage } from '../list/model-form.ts';

/** The models of one page, and whether more follow it. */
interface PageOfModels {
  models: readonly Model[];
  hasMore: boolean;
}

/** Reads the size of a page from the query. Larger sizes are the largest. */
export function readSize(query: URLSearchParams, name: string, standard: number): number {
  const text = query.get(name) ?? '';
  if (text === '') return standard;
  if (/^[1-9]\d{0,8}$/.test(text)) return Math.min(Number(text), largest);
  throw new GatewayError('invalid_parameters', `${name} must be a number from 1 to ${largest}.`, { param: name });
}

const largest = 1_000;

/** Before an id the page is the last one, and more models are in front of it. */
export function modelsOfPage(models: readonly Model[], { size = largest, after, before }: ModelPage): PageOfModels {
  if (before !== undefined) {
    const end = placeOf(models, before);
    return { models: models.slice(Math.max(end - size, 0), end), hasMore: end > size };
  }
  const begin = after === undefined ? 0 : placeOf(models, after) + 1;
  return { models: models.slice(begin, begin + size), hasMore: begin + size < models.length };
}

function placeOf(models: readonly Model[], id: string): number {
  const place = models.findIndex((model) => model.id === id);
  if (place >= 0) return place;
  throw new GatewayError('invalid_parameters', 'The page follows a model that is not in the list. Begin again.');
}
