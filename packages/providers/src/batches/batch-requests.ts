import { items, members } from '../read.ts';
import type { BatchFormat, VendorBatchPage } from '../spec/batch-format.ts';
import type { SlicedRequest, UpstreamRequest } from '../spec/upstream-request.ts';

type Headers = Readonly<Record<string, string>>;

export const getting = (path: string, headers: Headers = {}): UpstreamRequest => ({
  method: 'GET',
  path,
  headers: { accept: 'application/json', ...headers },
  body: '',
});

export const posting = (path: string, body: readonly Uint8Array[], headers: Headers = {}): SlicedRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  body,
});

/** A list whose next page begins after the id of its last batch. */
export function pageUpToLast(body: unknown, read: BatchFormat['batch']): VendorBatchPage {
  const batches = items(members(body).data).flatMap((item) => read(item) ?? []);
  return { batches, next: batches.at(-1)?.id };
}
