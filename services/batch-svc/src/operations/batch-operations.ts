import type { ExchangeHandler } from '@tallyport/bus';
import { batchIdIn } from '../batches/batch-id.ts';
import type { BatchTools } from '../batches/batch-tools.ts';
import { cancelBatch } from '../batches/cancel-batch.ts';
import type { BatchApi } from '../batches/batch-api.ts';
import { findBatch, listBatches } from '../batches/stored-batches.ts';
import { batchesApis, batchOwnerOf } from '../forms/batches-api.ts';
import { answerJson } from './answer-json.ts';

/** The operations of batches that both APIs have. */
export function batchOperations(tools: BatchTools, api: BatchApi) {
  const { database } = tools;
  const form = batchesApis[api];
  const get: ExchangeHandler = async ({ head, body }) => {
    body.cancel();
    return answerJson(form.batch(await findBatch(database, batchOwnerOf(api, head), batchIdIn(head))));
  };
  const list: ExchangeHandler = async ({ head, body }) => {
    body.cancel();
    // Postgres takes no NUL.
    const page = form.readPage(new URLSearchParams(head.query?.replaceAll('%00', '')));
    const found = await listBatches(database, batchOwnerOf(api, head), page);
    const shown = found.slice(0, page.limit);
    const newestFirst = page.before === undefined ? shown : shown.toReversed();
    return answerJson(form.list(newestFirst, found.length > page.limit));
  };
  const cancel: ExchangeHandler = async ({ head, body }) => {
    body.cancel();
    const batch = await cancelBatch(database, batchOwnerOf(api, head), batchIdIn(head));
    tools.wake();
    return answerJson(form.batch(batch));
  };
  return { get, list, cancel };
}
