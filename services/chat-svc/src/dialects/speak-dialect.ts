import { randomUUID } from 'node:crypto';
import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { ErrorBody, RequestHead } from '@tallyport/contracts';
import { type DialectRequest, inClientWords } from '@tallyport/dialects';
import { holdBody } from '@tallyport/serving/replay';
import { estimatePrompt } from '@tallyport/pricing';
import { type ByteBudget, slicedAnswer, exchangeWithBody } from '@tallyport/serving';
import type { ChatApi, ReadRequest } from '../complete.ts';
import { asChatRequest, parseExactBodyOf } from '../parse-request.ts';
import type { DialectEvents } from './events.ts';
import { errorOfBody } from './error-of-body.ts';
import type { SpokenCall, SpokenDialect } from './spoken-dialect.ts';
import { laneHeader } from '../answer/lane-header.ts';
import { type ClientWords, inOwnWords } from './own-words.ts';
import { translateStream } from './translate-stream.ts';
import { bytesOf } from './bytes-of.ts';

export interface DialectTools {
  /** Serves the chats of an API. */
  complete(api: ChatApi): ExchangeHandler;
  maxBodyBytes: number;
  budget: ByteBudget;
  dialectEvents: DialectEvents;
}

/**
 * An endpoint of another API: its requests become chats, so that keys, limits, budgets, cache, idempotency, metrics and the
 * ledger apply to them as to every chat, and the responses are translated back, unless a vendor with the same API answered.
 */
export const speakDialect =
  (dialect: SpokenDialect, tools: DialectTools): ExchangeHandler =>
  async (exchange) => {
    const request = await readRequest(exchange, tools);
    const call = await dialect.read(request, exchange);
    const serve = tools.complete(chatApi(dialect, exchange.head, call));
    const words = { memberNames: dialect.memberNames, body: request.body };
    const answer = await inOwnWords(serve(translatedExchange(exchange, request.bytes)), words, call);
    if (answer.head.status !== 200) return refusal({ ...words, errors: dialect.errors }, exchange.head, answer);
    const isPassed = answer.head.headers[laneHeader] === 'native';
    tools.dialectEvents.answered(dialect.name, isPassed ? 'native' : 'translated');
    const isStream = answer.head.headers['content-type']?.startsWith('text/event-stream') === true;
    if (!isStream) return isPassed ? passedOn(call, answer) : whole(call, answer);
    return translateStream(
      call.stream(() => estimatePrompt(call.chat)),
      answer,
      call,
    );
  };

/** The body alone does not always make a request: Google's API has the model in the path. */
const chatApi = ({ name }: SpokenDialect, { path, query }: RequestHead, call: SpokenCall): ChatApi => ({
  operation: [name, path, query].join(' '),
  read: () => chatOfCall(call),
});

export async function readRequest(
  exchange: IncomingExchange,
  { budget, maxBodyBytes }: Pick<DialectTools, 'budget' | 'maxBodyBytes'>,
): Promise<DialectRequest> {
  const held = await holdBody(exchange, { maxBodyBytes, lease: budget.lease });
  try {
    return dialectRequest(exchange.head, held.body);
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

async function passedOn({ passed }: SpokenCall, answer: ExchangeAnswer): Promise<ExchangeAnswer> {
  if (passed === undefined) return answer;
  return slicedAnswer(answer.head, [await passed.whole(await bytesOf(answer.body))]);
}

async function whole(call: SpokenCall, { head, body }: ExchangeAnswer): Promise<ExchangeAnswer> {
  return jsonAnswer(head, await call.answer(JSON.parse((await bytesOf(body)).toString())));
}

/** A refusal by limits or budgets keeps its headers. */
export async function refusal(
  { errors, memberNames, body: sent }: Pick<SpokenDialect, 'errors'> & ClientWords,
  { requestId }: RequestHead,
  { head, body }: ExchangeAnswer,
) {
  const refused: ErrorBody = JSON.parse((await bytesOf(body)).toString());
  const error = inClientWords(errorOfBody(refused, head.status), memberNames, sent);
  const { status, body: translated } = errors.error(error, requestId);
  return jsonAnswer({ ...head, status }, translated);
}

const jsonAnswer = (head: ExchangeAnswer['head'], document: unknown): ExchangeAnswer =>
  slicedAnswer(head, [Buffer.from(JSON.stringify(document))]);
