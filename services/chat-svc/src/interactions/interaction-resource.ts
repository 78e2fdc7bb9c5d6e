import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { jsonAnswer } from '../answer/json-answer.ts';
import { guardAnswers, guardStored } from '../responses/guard-stored.ts';
import { responseOwnerOf } from '../responses/respond.ts';
import type { FoundRecord, ResponseOwner, StoredResponses } from '../responses/stored-responses.ts';
import type { InteractionTools } from './interact.ts';
import { interactionOf, storedSteps } from './interaction-record.ts';
import {
  cannotCancelInteraction,
  cannotStreamInteractionAgain,
  interactionNotFound,
  noInteractionsStored,
} from './refusals.ts';

/** The handlers of `/v1beta/interactions/{id}` and the path below it. */
interface InteractionResource {
  getInteraction: ExchangeHandler;
  deleteInteraction: ExchangeHandler;
  cancelInteraction: ExchangeHandler;
}

export const interactionResource = (tools: InteractionTools): InteractionResource => ({
  async getInteraction(exchange) {
    const { stored, owner, id, query } = read(tools, exchange);
    const found = await (await foundIn(stored, owner, id)).read();
    if (found === undefined) throw interactionNotFound();
    if (query.get('stream') === 'true') throw cannotStreamInteractionAgain();
    if (query.get('include_input') !== 'true') {
      const [output = []] = await guardAnswers(tools.guardrails, exchange, [found.output]);
      return jsonAnswer(interactionOf(found.response, output));
    }
    const [texts = found] = await guardStored(tools.guardrails, exchange)([found]);
    return jsonAnswer({ ...interactionOf(found.response, texts.output), input: storedSteps(texts.input) });
  },
  async deleteInteraction(exchange) {
    const { stored, owner, id } = read(tools, exchange);
    if (!(await stored.delete(owner, id))) throw interactionNotFound();
    return jsonAnswer({});
  },
  /** Only background interactions can be cancelled, and there are none. */
  async cancelInteraction(exchange) {
    const { stored, owner, id } = read(tools, exchange, '/cancel');
    await foundIn(stored, owner, id);
    throw cannotCancelInteraction();
  },
});

interface ResourceRequest {
  stored: StoredResponses;
  owner: ResponseOwner;
  id: string;
  query: URLSearchParams;
}

/** The path of the request is the id and what follows it. */
function read(
  { storedInteractions: stored }: InteractionTools,
  { head }: IncomingExchange,
  pathEnd = '',
): ResourceRequest {
  if (stored === undefined) throw noInteractionsStored();
  const { path = '', query } = head;
  const id = path.slice(0, path.length - pathEnd.length);
  return { stored, owner: responseOwnerOf(head), id, query: new URLSearchParams(query) };
}

async function foundIn(stored: StoredResponses, owner: ResponseOwner, id: string): Promise<FoundRecord> {
  const record = await stored.find(owner, id);
  if (record === undefined) throw interactionNotFound();
  return record;
}
