import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { responsesErrors } from '@tallyport/contracts';
import { itemPage, readStoredItems } from '@tallyport/dialects';
import { answerRulesOf } from '@tallyport/serving/replay';
import { jsonAnswer } from '../answer/json-answer.ts';
import { readStoredConversation } from './conversation.ts';
import type { Background } from '../background/background.ts';
import { eventsAnswer } from '../background/events-answer.ts';
import { eventsUnderOtherRules } from '../background/refusals.ts';
import { badPosition, cannotCancel, cannotStreamAgain, notEnded, nothingStored, responseNotFound } from './refusals.ts';
import { responseOwnerOf, type ResponseTools } from './respond.ts';
import { guardAnswers, guardStored } from './guard-stored.ts';
import type { FoundRecord, ResponseOwner, StoredResponses } from './stored-responses.ts';

/** The handlers of `/v1/responses/{id}` and the paths below it. */
interface StoredResource {
  getResponse: ExchangeHandler;
  deleteResponse: ExchangeHandler;
  listInputItems: ExchangeHandler;
  cancelResponse: ExchangeHandler;
}

export interface ResourceTools extends ResponseTools {
  background: Background | undefined;
  keepAliveMs: number;
}

export const storedResource = (tools: ResourceTools): StoredResource => ({
  async getResponse(exchange) {
    const { stored, owner, id, query } = read(tools, exchange, '');
    if (query.get('stream') === 'true') return streamAgain(tools, exchange, { stored, owner, id, query });
    return jsonAnswer(await guardedResponse(tools, exchange, { stored, owner, id }));
  },
  async deleteResponse(exchange) {
    const { stored, owner, id } = read(tools, exchange, '');
    const run = await tools.background?.find(owner, id);
    if (run !== undefined) await tools.background?.drop(run);
    const isDeleted = await stored.delete(owner, id);
    if (run === undefined && !isDeleted) throw responseNotFound();
    return jsonAnswer({ id, object: 'response', deleted: true });
  },
  async listInputItems(exchange) {
    const { stored, owner, id, query } = read(tools, exchange, '/input_items');
    const guard = guardStored(tools.guardrails, exchange);
    if ((await stored.find(owner, id)) === undefined && (await tools.background?.find(owner, id)) !== undefined)
      throw notEnded();
    const { input } = await readStoredConversation({ owner, id }, { ...tools, stored, guard });
    return jsonAnswer(itemPage(input, query));
  },
  /** Cancels a background response; of one that has ended, it returns the response. */
  async cancelResponse(exchange) {
    const { stored, owner, id } = read(tools, exchange, '/cancel');
    const run = await tools.background?.find(owner, id);
    if (run === undefined) throw (await stored.find(owner, id)) === undefined ? responseNotFound() : cannotCancel();
    await tools.background?.cancel(run);
    return jsonAnswer(await guardedResponse(tools, exchange, { stored, owner, id }));
  },
});

type Asked = Pick<ResourceRequest, 'stored' | 'owner' | 'id'>;

/** A stored response, or a background response that has not ended or has no answer. */
async function guardedResponse(
  tools: ResourceTools,
  exchange: IncomingExchange,
  asked: Asked,
): Promise<Record<string, unknown>> {
  const record = await asked.stored.find(asked.owner, asked.id);
  // What is stored of a background response is shown once it has ended, as its events say; it may end while it is looked for.
  const found = (await unanswered(tools, asked)) ?? (await responseOf(record)) ?? (await storedResponse(asked));
  if (found === undefined) throw responseNotFound();
  const [output] = await guardAnswers(tools.guardrails, exchange, [readStoredItems(found['output']) ?? []]);
  return { ...found, output };
}

const storedResponse = async ({ stored, owner, id }: Asked) => responseOf(await stored.find(owner, id));

const responseOf = async (record: FoundRecord | undefined) => (await record?.read())?.response;

async function unanswered(
  { background }: ResourceTools,
  { owner, id }: Asked,
): Promise<Record<string, unknown> | undefined> {
  const run = await background?.find(owner, id);
  return run && background?.document(run);
}

const position = /^\d{1,9}$/;

/** The events of a background response after `starting_after`. */
async function streamAgain(
  { background, keepAliveMs }: ResourceTools,
  { head, signal }: IncomingExchange,
  { stored, owner, id, query }: ResourceRequest,
): Promise<ExchangeAnswer> {
  const after = query.get('starting_after');
  if (after !== null && !position.test(after)) throw badPosition();
  const run = await background?.find(owner, id);
  if (background === undefined || run === undefined)
    throw (await stored.find(owner, id)) === undefined ? responseNotFound() : cannotStreamAgain();
  if (run.record.answerRules !== answerRulesOf(head.principal ?? {})) throw eventsUnderOtherRules();
  const events = background.follow(run, { after: Number(after ?? -1), signal });
  return eventsAnswer(events, { keepAliveMs, errors: responsesErrors });
}

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
