import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { itemPage } from '@tallyport/dialects';
import { jsonAnswer } from '../answer/json-answer.ts';
import { readStoredConversation } from './conversation.ts';
import { cannotCancel, cannotStreamAgain, nothingStored, responseNotFound } from './refusals.ts';
import { accountOf, type ResponseTools } from './respond.ts';
import type { StoredResponses } from './stored-responses.ts';

/** The handlers of `/v1/responses/{id}` and the paths below it. */
export interface StoredResource {
  getResponse: ExchangeHandler;
  deleteResponse: ExchangeHandler;
  listInputItems: ExchangeHandler;
  cancelResponse: ExchangeHandler;
}

export const storedResource = (tools: ResponseTools): StoredResource => ({
  async getResponse(exchange) {
    const { stored, accountId, id, query } = read(tools, exchange, '');
    const record = await stored.find(accountId, id);
    const found = await record?.read();
    if (found === undefined) throw responseNotFound();
    if (query.get('stream') === 'true') throw cannotStreamAgain();
    return jsonAnswer(found.response);
  },
  async deleteResponse(exchange) {
    const { stored, accountId, id } = read(tools, exchange, '');
    if (!(await stored.delete(accountId, id))) throw responseNotFound();
    return jsonAnswer({ id, object: 'response', deleted: true });
  },
  async listInputItems(exchange) {
    const { stored, accountId, id, query } = read(tools, exchange, '/input_items');
    const { input } = await readStoredConversation({ accountId, id }, { ...tools, stored });
    return jsonAnswer(itemPage(input, query));
  },
  /** Only background responses can be cancelled, and there are none. */
  async cancelResponse(exchange) {
    const { stored, accountId, id } = read(tools, exchange, '/cancel');
    throw (await stored.find(accountId, id)) === undefined ? responseNotFound() : cannotCancel();
  },
});

interface ResourceRequest {
  stored: StoredResponses;
  accountId: string;
  id: string;
  query: URLSearchParams;
}

/** The path of the request is the id and what follows it. */
function read({ stored }: ResponseTools, { head }: IncomingExchange, pathEnd: string): ResourceRequest {
  if (stored === undefined) throw nothingStored();
  const { path = '', query } = head;
  const id = path.slice(0, path.length - pathEnd.length);
  return { stored, accountId: accountOf(head), id, query: new URLSearchParams(query) };
}
