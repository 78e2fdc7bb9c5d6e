import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';
import { holdBody } from '@tallyport/serving/replay';
import { type AskedRouting, askedRouting, type ByteBudget, exchangeWithBody, type Life } from '@tallyport/serving';
import type { ChatApi } from '../complete.ts';
import type { ReadRequest } from '../read-request.ts';
import { editMembers } from '@tallyport/wire';
import { asChatRequest, parseExactBodyOf } from '../parse-request.ts';
import type { AnsweredLane, DialectEvents } from './events.ts';
import { dialectForm } from './dialect-form.ts';
import type { DeferredRequest, SpokenCall, SpokenDialect } from './spoken-dialect.ts';
import { inOwnWords } from './own-words.ts';

export interface DialectTools {
  /** Serves the chats of an API. */
  complete(api: ChatApi): ExchangeHandler;
  /** See `Life`. */
  once: Life['once'];
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
    const deferred = dialect.defer?.(request);
    if (deferred !== undefined) {
      const once = tools.once(`${dialect.name} in the background`);
      return once(deferred)(exchangeWithBody(exchange, exchange.head, request.arrived));
    }
    let isRouted = false;
    const call = await dialect.read({ ...request, isRouted: () => isRouted }, exchange);
    const { name, errors, memberNames } = dialect;
    const { path, query, requestId } = exchange.head;
    const words = { memberNames, body: request.body };
    const answered = (lane: AnsweredLane): void => tools.dialectEvents.answered(name, lane);
    const serve = tools.complete({
      // The body alone does not always make a request: Google's API has the model in the path. Results that were kept
      // before version 0.2 are chats, not answers of this API: the mark keeps them apart.
      operation: [name, path, query, 'in its form'].join(' '),
      read: () => ({
        ...chatOfCall(call),
        api: name,
        standIns: request.standIns,
        preferences: request.preferences,
        onRoute: () => {
          isRouted = true;
        },
      }),
      form: dialectForm({ ...words, call, errors, requestId, answered }),
    });
    return inOwnWords(serve(translatedExchange(exchange, request.bytes)), words, call);
  };

/** Parsing more than this takes tens of milliseconds. */
const largeBytes = 1_000_000;

export async function readRequest(
  exchange: IncomingExchange,
  { budget, maxBodyBytes }: Pick<DialectTools, 'budget' | 'maxBodyBytes'>,
): Promise<RoutedRequest> {
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

/** With what the body or headers said about routing. */
type RoutedRequest = DeferredRequest & Pick<AskedRouting, 'preferences'>;

/** Throws like `parseBody`. */
export function dialectRequest(
  { path = '', query, headers, model }: Pick<RequestHead, 'path' | 'query' | 'headers' | 'model'>,
  arrived: Uint8Array,
): RoutedRequest {
  const parsed = parseExactBodyOf(arrived, { model });
  const { body, ...asked } = askedRouting(parsed, { headers, model: modelIn(path) });
  const bytes = Buffer.from(arrived.buffer, arrived.byteOffset, arrived.byteLength);
  return {
    ...asked,
    arrived: bytes,
    bytes: body === parsed ? bytes : withoutRouting(bytes, asked.model),
    body,
    path,
    query: new URLSearchParams(query),
    headers,
    now: () => Math.floor(Date.now() / 1000),
    newId: () => randomUUID().replaceAll('-', ''),
  };
}

/** Google's API names the model in the path, and no member `model` in the body. */
const modelIn = (path: string): string | undefined => /^(?:models\/)?(.+):\w+$/.exec(path)?.[1];

const routingMembers = ['models', 'provider'];

/** No vendor gets them. `model` is set if the body had a list. */
const withoutRouting = (bytes: Buffer, model: unknown): Buffer =>
  model === undefined
    ? editMembers(bytes, { removed: new Set(routingMembers), added: {} })
    : editMembers(bytes, { removed: new Set(['model', ...routingMembers]), added: { model: JSON.stringify(model) } });

/** A request as its dialect reads it. Throws `invalid_parameters` if the translation is no chat. */
export const chatOfCall = ({
  chat,
  native,
  untranslatable,
  needsText,
  endUser,
  storedBytes,
  ignored,
}: ReadCall): ReadRequest => ({
  request: asChatRequest(chat),
  native,
  untranslatable,
  needsText,
  endUser,
  storedBytes,
  ignoredMembers: ignored,
});

export type ReadCall = Pick<
  SpokenCall,
  'chat' | 'native' | 'untranslatable' | 'needsText' | 'endUser' | 'storedBytes' | 'ignored'
>;

/** The request with another body, for another endpoint. */
export const translatedExchange = (exchange: IncomingExchange, bytes: Buffer): IncomingExchange =>
  exchangeWithBody(exchange, translatedHead(exchange.head), bytes);

/** A stream that is translated cannot go on from an event in its middle. */
function translatedHead(head: RequestHead): RequestHead {
  const { 'last-event-id': _position, ...headers } = head.headers;
  return { ...head, headers };
}
