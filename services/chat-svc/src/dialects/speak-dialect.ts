import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';
import type { DialectRequest } from '@tallyport/dialects';
import { holdBody } from '@tallyport/serving/replay';
import { type ByteBudget, exchangeWithBody } from '@tallyport/serving';
import type { ChatApi, ReadRequest } from '../complete.ts';
import { asChatRequest, parseExactBodyOf } from '../parse-request.ts';
import type { AnsweredLane, DialectEvents } from './events.ts';
import { dialectForm } from './dialect-form.ts';
import type { SpokenCall, SpokenDialect } from './spoken-dialect.ts';
import { inOwnWords } from './own-words.ts';

export interface DialectTools {
  /** Serves the chats of an API. */
  complete(api: ChatApi): ExchangeHandler;
  maxBodyBytes: number;
  budget: ByteBudget;
  dialectEvents: DialectEvents;
}

/**
 * An endpoint of another API: its requests become chats, so that keys, limits, budgets, cache, idempotency, metrics and the
 * ledger apply to them as to every chat. Its form writes the responses, unless a vendor with the same API has written them.
 */
export const speakDialect =
  (dialect: SpokenDialect, tools: DialectTools): ExchangeHandler =>
  async (exchange) => {
    const request = await readRequest(exchange, tools);
    const call = await dialect.read(request, exchange);
    const { name, errors, memberNames } = dialect;
    const { path, query, requestId } = exchange.head;
    const words = { memberNames, body: request.body };
    const answered = (lane: AnsweredLane): void => tools.dialectEvents.answered(name, lane);
    const serve = tools.complete({
      // The body alone does not always make a request: Google's API has the model in the path. Results that were kept
      // before version 0.2 are chats, not answers of this API: the mark keeps them apart.
      operation: [name, path, query, 'in its form'].join(' '),
      read: () => chatOfCall(call),
      form: dialectForm({ ...words, call, errors, requestId, answered }),
    });
    return inOwnWords(serve(translatedExchange(exchange, request.bytes)), words, call);
  };

/** Parsing more than this takes tens of milliseconds. */
const largeBytes = 1_000_000;

export async function readRequest(
  exchange: IncomingExchange,
  { budget, maxBodyBytes }: Pick<DialectTools, 'budget' | 'maxBodyBytes'>,
): Promise<DialectRequest> {
  const held = await holdBody(exchange, { maxBodyBytes, lease: budget.lease });
  try {
    const request = dialectRequest(exchange.head, held.body);
    // Requests of other accounts are served between parsing and translating.
    if (held.body.length > largeBytes) await nextTurn();
    return request;
  } finally {
    held.release();
  }
}

/** Throws like `parseBody`. */
export const dialectRequest = (
  { path = '', query, headers, model }: Pick<RequestHead, 'path' | 'query' | 'headers' | 'model'>,
  body: Uint8Array,
): DialectRequest => ({
  bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
  body: parseExactBodyOf(body, { model }),
  path,
  query: new URLSearchParams(query),
  headers,
  now: () => Math.floor(Date.now() / 1000),
  newId: () => randomUUID().replaceAll('-', ''),
});

/** A request as its dialect reads it. Throws `invalid_parameters` if the translation is no chat. */
export const chatOfCall = ({ chat, native, untranslatable, storedBytes }: ReadCall): ReadRequest => ({
  request: asChatRequest(chat),
  native,
  untranslatable,
  storedBytes,
});

export type ReadCall = Pick<SpokenCall, 'chat' | 'native' | 'untranslatable' | 'storedBytes'>;

/** The request with another body, for another endpoint. */
export const translatedExchange = (exchange: IncomingExchange, bytes: Buffer): IncomingExchange =>
  exchangeWithBody(exchange, translatedHead(exchange.head), bytes);

/** A stream that is translated cannot go on from an event in its middle. */
function translatedHead(head: RequestHead): RequestHead {
  const { 'last-event-id': _position, ...headers } = head.headers;
  return { ...head, headers };
}
