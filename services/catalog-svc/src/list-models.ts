import type { ExchangeHandler } from '@tallyport/bus';
import { answerConditionally } from './conditional.ts';
import type { CallerOf } from './caller.ts';
import type { CatalogEvents } from './events.ts';
import type { FormOf } from './list/model-form.ts';
import { readFilters } from './list/filters.ts';
import type { ModelLists } from './list/model-list.ts';

interface ListTools {
  callerOf: CallerOf;
  events: CatalogEvents;
  formOf: FormOf;
}

/** A list of models in the form of an API. Returns 304 without a body if the client's `If-None-Match` is current. */
export function listModels(lists: () => ModelLists, { callerOf, events, formOf }: ListTools): ExchangeHandler {
  return async ({ head, body }) => {
    body.cancel();
    const form = formOf(head);
    const query = { filters: readFilters(head.query), form, page: form.readPage(new URLSearchParams(head.query)) };
    const list = lists().list(query, await callerOf(head.principal));
    const answer = await answerConditionally(list, head);
    events.listed(answer.head.status === 304 ? 304 : 200);
    return answer;
  };
}
