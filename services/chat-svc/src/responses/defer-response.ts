import type { ExchangeHandler } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';
import { newResponseId, openAiResponses } from '@tallyport/dialects';
import { answerRulesOf } from '@tallyport/serving/replay';
import { editMembers } from '@tallyport/wire';
import { jsonAnswer } from '../answer/json-answer.ts';
import { eventsAnswer } from '../background/events-answer.ts';
import { requestTooLarge } from '../background/refusals.ts';
import type { DeferredRequest } from '../dialects/spoken-dialect.ts';
import { mustBeStored } from './refusals.ts';
import { readContinued, recordBlocked, responseOwnerOf } from './respond.ts';
import type { ResourceTools } from './stored-resource.ts';

export interface DeferTools extends ResourceTools {
  /** The largest stored response with its input. */
  maxStoredBytes: number;
}

const wanted = (body: unknown): body is { background: true; store?: unknown; stream?: unknown } =>
  typeof body === 'object' && body !== null && 'background' in body && body.background === true;

/** `POST /v1/responses` with `background`; `undefined` for other requests, and where no responses are stored. */
export function deferResponse(request: DeferredRequest, tools: DeferTools): ExchangeHandler | undefined {
  const { background } = tools;
  const { body } = request;
  if (background === undefined || !wanted(body)) return undefined;
  const { background: _asked, ...rest } = body;
  return async (exchange) => {
    if (body.store === false) throw mustBeStored();
    const own = editMembers(request.arrived, { removed: new Set(['background']), added: {} });
    if (own.length > tools.maxStoredBytes) throw requestTooLarge(tools.maxStoredBytes);
    const createdAt = Date.now();
    const identity = { id: newResponseId(request.newId), created_at: Math.floor(createdAt / 1000) };
    const bytes = editMembers(request.bytes, { removed: new Set(['background']), added: {} });
    const reading = readContinued({ ...request, body: rest, bytes }, exchange, { ...tools, identity });
    const { call } = await recordBlocked(reading, { request, exchange }, tools);
    const outline = call.unanswered({ status: 'queued' });
    const run = await background.begin({
      id: identity.id,
      createdAt,
      owner: responseOwnerOf(exchange.head),
      api: openAiResponses.name,
      answerRules: answerRulesOf(exchange.head.principal ?? {}),
      request: { head: headOfRun(exchange.head), body: own, outline },
      ...(body.stream === true && { counted: exchange.signal }),
    });
    if ('refusal' in run) return run.refusal;
    if (body.stream !== true) return jsonAnswer(outline);
    const events = background.follow(run, { after: -1, signal: exchange.signal });
    return eventsAnswer(events, { keepAliveMs: tools.keepAliveMs, errors: openAiResponses.errors });
  };
}

/** A repeat of its Idempotency-Key gets the run, not another answer. */
function headOfRun(head: RequestHead): RequestHead {
  const { 'idempotency-key': _key, 'last-event-id': _position, ...headers } = head.headers;
  return { ...head, headers };
}
