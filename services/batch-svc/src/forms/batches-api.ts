import type { RequestHead } from '@tallyport/contracts';
import type { BatchApi } from '../batches/batch-api.ts';
import type { BatchOwner, BatchPage, StoredBatch } from '../batches/stored-batches.ts';
import { fileOwnerOf } from '../files/file-owner.ts';
import { messageBatch, messageBatchList } from './anthropic-batches.ts';
import { batchListObject, batchObject } from './openai-batches.ts';
import { invalidValue, readLimit } from './read-fields.ts';

/** How an API writes batches. */
interface BatchesApi {
  readPage(query: URLSearchParams): BatchPage;
  batch(batch: StoredBatch): object;
  /** One page, the newest first; `hasMore` if others follow. */
  list(batches: readonly StoredBatch[], hasMore: boolean): object;
}

export const batchesApis: Readonly<Record<BatchApi, BatchesApi>> = {
  batches: {
    readPage: (query) => ({
      limit: readLimit(query, { standard: 20, most: 100 }),
      after: query.get('after') ?? undefined,
    }),
    batch: batchObject,
    list: batchListObject,
  },
  messages: {
    readPage(query) {
      const [after, before] = [query.get('after_id') ?? undefined, query.get('before_id') ?? undefined];
      if (after !== undefined && before !== undefined) throw invalidValue('before_id', 'cannot be sent with after_id');
      return { limit: readLimit(query, { standard: 20, most: 1_000 }), after, before };
    },
    batch: messageBatch,
    list: messageBatchList,
  },
};

export const batchOwnerOf = (api: BatchApi, head: RequestHead): BatchOwner => ({
  ...fileOwnerOf(head, 'Batches'),
  api,
});
