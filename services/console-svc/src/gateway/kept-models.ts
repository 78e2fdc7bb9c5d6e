import type { ExchangeResponse } from '@tallyport/bus';
import { LRUCache } from 'lru-cache';
import { type CatalogueModel, catalogueModelsSchema } from './catalogue-model.ts';
import { checkedAnswer } from './read-answer.ts';

type ModelList = readonly CatalogueModel[];

export interface KeptModels {
  /** The models that a request lists, which is sent with the headers. */
  read(open: (headers: Record<string, string>) => Promise<ExchangeResponse>): Promise<ModelList>;
}

export const mostLists = 8;
/** Of all lists together. */
export const mostModels = 10_000;

/**
 * Keeps the lists that were read last by their ETags, which follow from the content. catalog-svc still decides what a person
 * may see; a list that has not changed is neither sent nor parsed again.
 */
export function createKeptModels(): KeptModels {
  const kept = new LRUCache<string, ModelList>({
    max: mostLists,
    maxSize: mostModels,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });

  return {
    async read(open) {
      // What it names must still be there when the answer arrives.
      const known = new Map(kept.entries());
      const answer = await open(known.size === 0 ? {} : { 'if-none-match': [...known.keys()].join(', ') });
      const { etag } = answer.head.headers;
      if (etag === undefined) return (await checkedAnswer(catalogueModelsSchema, answer)).data;
      const same = answer.head.status === 304 ? known.get(etag) : undefined;
      if (same) answer.body.cancel();
      const list = same ?? (await checkedAnswer(catalogueModelsSchema, answer)).data;
      kept.set(etag, list);
      return list;
    },
  };
}
