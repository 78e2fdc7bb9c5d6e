import type { ExchangeHandler } from '@switchyard/bus';
import type { CatalogEvents } from './events.ts';
import { readFilters } from './list/filters.ts';
import type { ModelLists } from './list/model-list.ts';

/** `GET /v1/models`. Unchanged since the client's `If-None-Match`: 304 without a body. */
export function listModels(lists: ModelLists, events: CatalogEvents): ExchangeHandler {
  return async ({ head, body }) => {
    body.cancel();
    const { body: bytes, etag } = lists.list(readFilters(head.query), head.principal);
    // Kept by clients, but asked about each time: the list may change any moment, and differs from key to key.
    const headers = { etag, 'cache-control': 'no-cache', vary: 'authorization, x-api-key' };
    const unchanged = isSame(head.headers['if-none-match'], etag);
    events.listed(unchanged ? 304 : 200);
    if (unchanged) return { head: { status: 304, headers }, body: new Uint8Array(0) };
    return {
      head: { status: 200, headers: { ...headers, 'content-type': 'application/json; charset=utf-8' } },
      body: bytes,
    };
  };
}

/** The weak comparison of RFC 9110. */
function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
