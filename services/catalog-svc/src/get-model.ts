import type { ExchangeHandler } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';
import { answerConditionally } from './conditional.ts';
import type { ModelLists } from './list/model-list.ts';

/** `GET /v1/models/{id}`: by id, alias or prefixed id, also when it is gone. Otherwise 404 with near names. */
export function getModel(lists: () => ModelLists): ExchangeHandler {
  return async ({ head, body }) => {
    body.cancel();
    if (head.path === undefined) throw new GatewayError('not_found', 'Ask for /v1/models/<id>.');
    return answerConditionally(lists().one(head.path, head.principal), head.headers['if-none-match']);
  };
}
