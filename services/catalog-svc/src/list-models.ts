import type { ExchangeHandler } from '@switchyard/bus';
import { answerConditionally } from './conditional.ts';
import type { CatalogEvents } from './events.ts';
import { readFilters } from './list/filters.ts';
import type { ModelLists } from './list/model-list.ts';

/** `GET /v1/models`. Unchanged since the client's `If-None-Match`: 304 without a body. */
export function listModels(lists: () => ModelLists, events: CatalogEvents): ExchangeHandler {
  return async ({ head, body }) => {
    body.cancel();
    const list = lists().list(readFilters(head.query), head.principal);
    const answer = answerConditionally(list, head.headers['if-none-match']);
    events.listed(answer.head.status === 304 ? 304 : 200);
    return answer;
  };
}
