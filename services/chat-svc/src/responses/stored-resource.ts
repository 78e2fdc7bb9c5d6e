import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { itemPage } from '@tallyport/dialects';
import { jsonAnswer } from '../answer/json-answer.ts';
import { readStoredConversation } from './conversation.ts';
import { cannotCancel, cannotStreamAgain, nothingStored, responseNotFound } from './refusals.ts';
import { responseOwnerOf, type ResponseTools } from './respond.ts';
import { guardAnswers, guardStored } from './guard-stored.ts';
import type { ResponseOwner, StoredResponses } from './stored-responses.ts';

/** The handlers of `/v1/responses/{id}` and the paths below it. */
interface StoredResource {
  getResponse: ExchangeHandler;
  deleteResponse: ExchangeHandler;
  listInputItems: ExchangeHandler;
  cancelResponse: ExchangeHandler;
}

export const storedResource = (tools: ResponseTools): StoredResource => ({
  async getResponse(exchange) {
    const { stored, owner, id, query } = read(tools, exchange, '');
    const record = await stored.find(owner, id);
    const found = await record?.read();
    if (found === undefined) throw responseNotFound();
    if (query.get('stream') === 'true') throw cannotStreamAgain();
    const [output] = await guardAnswers(tools.guardrails, exchange, [found.output]);
    return jsonAnswer({ ...found.response, output });
  },
  async deleteResponse(exchange) {
    const { stored, owner, id } = read(tools, exchange, '');
    if (!(await stored.delete(owner, id))) throw responseNotFound();
    return jsonAnswer({ id, object: 'response', deleted: true });
  },
  async listInputItems(exchange) {
    const { stored, owner, id, query } = read(tools, exchange, '/input_items');
    const guard = guardStored(tools.guardrails, exchange);
    const { input } = await readStoredConversation({ owner, id }, { ...tools, stored, guard });
    return jsonAnswer(itemPage(input, query));
  },
  /** Only background responses can be cancelled, and there are none. */
  async cancelResponse(exchange) {
    const { stored, owner, id } = read(tools, exchange, '/cancel');
    throw (await stored.find(owner, id)) === undefined ? responseNotFound() : cannotCancel();
  },
});

interface ResourceRequest {
  stored: StoredResponses;
  owner: ResponseOwner;
  id: string;
  query: URLSearchParams;
}

/** The path of the request is the id and what follows it. */
function read({ stored }: ResponseTools, { head }: IncomingExchange, pathEnd: string): ResourceRequest {
  if (stored === undefined) throw nothingStored();
  const { path = '', query } = head;
  const id = path.slice(0, path.length - pathEnd.length);
  return { stored, owner: responseOwnerOf(head), id, query: new URLSearchParams(query) };
}
