import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { interactionsErrors } from '@tallyport/contracts';
import { answerRulesOf } from '@tallyport/serving/replay';
import { jsonAnswer } from '../answer/json-answer.ts';
import type { Background } from '../background/background.ts';
import { eventsAnswer, type EventsForm } from '../background/events-answer.ts';
import { eventsUnderOtherRules } from '../background/refusals.ts';
import type { FoundRun } from '../background/runs.ts';
import { guardAnswers, guardStored } from '../responses/guard-stored.ts';
import { responseOwnerOf } from '../responses/respond.ts';
import type { ResponseOwner, StoredResponses } from '../responses/stored-responses.ts';
import type { InteractionTools } from './interact.ts';
import { interactionOf, storedSteps } from './interaction-record.ts';
import {
  badEventId,
  cannotCancelInteraction,
  cannotStreamInteractionAgain,
  interactionNotFound,
  noInteractionsStored,
} from './refusals.ts';

export interface InteractionResourceTools extends InteractionTools {
  background: Background | undefined;
  keepAliveMs: number;
}

/** How events of a background interaction are streamed. */
export const streamed: Omit<EventsForm, 'keepAliveMs'> = { errors: interactionsErrors, untilDone: true };

/** The handlers of `/v1beta/interactions/{id}` and the path below it. */
interface InteractionResource {
  getInteraction: ExchangeHandler;
  deleteInteraction: ExchangeHandler;
  cancelInteraction: ExchangeHandler;
}

export const interactionResource = (tools: InteractionResourceTools): InteractionResource => ({
  async getInteraction(exchange) {
    const asked = read(tools, exchange);
    return asked.query.get('stream') === 'true'
      ? streamAgain(tools, exchange, asked)
      : jsonAnswer(await guardedInteraction(tools, exchange, asked));
  },
  async deleteInteraction(exchange) {
    const { stored, owner, id } = read(tools, exchange);
    const run = await tools.background?.find(owner, id);
    if (run !== undefined) await tools.background?.drop(run);
    const isDeleted = await stored.delete(owner, id);
    if (run === undefined && !isDeleted) throw interactionNotFound();
    return jsonAnswer({});
  },
  /** Cancels a background interaction; of one that has ended, it returns the interaction. */
  async cancelInteraction(exchange) {
    const asked = read(tools, exchange, '/cancel');
    const { background, run } = await foundRun(tools, asked, cannotCancelInteraction);
    await background.cancel(run);
    return jsonAnswer(await guardedInteraction(tools, exchange, asked));
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

/** A stored interaction, or a background interaction that has not ended or has no answer. */
async function guardedInteraction(
  tools: InteractionResourceTools,
  exchange: IncomingExchange,
  { stored, owner, id, query }: ResourceRequest,
): Promise<Record<string, unknown>> {
  const record = await stored.find(owner, id);
  // What is stored is shown once the run has ended, as its events say; it may end while it is looked for.
  const run = await tools.background?.find(owner, id);
  const unanswered = run && (await tools.background?.document(run));
  if (unanswered !== undefined) return unanswered;
  const found = (await record?.read()) ?? (await (await stored.find(owner, id))?.read());
  if (found === undefined) throw interactionNotFound();
  if (query.get('include_input') !== 'true') {
    const [output = []] = await guardAnswers(tools.guardrails, exchange, [found.output]);
    return interactionOf(found.response, output);
  }
  const [texts = found] = await guardStored(tools.guardrails, exchange)([found]);
  return { ...interactionOf(found.response, texts.output), input: storedSteps(texts.input) };
}

/** Throws `otherwise` for an interaction that did not run in the background. */
async function foundRun(
  { background }: InteractionResourceTools,
  { stored, owner, id }: ResourceRequest,
  otherwise: () => Error,
): Promise<{ background: Background; run: FoundRun }> {
  const run = await background?.find(owner, id);
  if (background !== undefined && run !== undefined) return { background, run };
  throw (await stored.find(owner, id)) === undefined ? interactionNotFound() : otherwise();
}

const eventId = /^[1-9]\d{0,8}$/;

/** The events of a background interaction after `last_event_id`. */
async function streamAgain(
  tools: InteractionResourceTools,
  { head, signal }: IncomingExchange,
  asked: ResourceRequest,
): Promise<ExchangeAnswer> {
  const last = asked.query.get('last_event_id');
  if (last !== null && !eventId.test(last)) throw badEventId();
  const { background, run } = await foundRun(tools, asked, cannotStreamInteractionAgain);
  if (run.record.answerRules !== answerRulesOf(head.principal ?? {})) throw eventsUnderOtherRules();
  const after = last === null ? -1 : Number(last) - 1;
  return eventsAnswer(background.follow(run, { after, signal }), { ...streamed, keepAliveMs: tools.keepAliveMs });
}
