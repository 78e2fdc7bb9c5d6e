import type { IncomingMessage } from 'node:http';
import type { ExchangeRequest, ExchangeResponse } from '@switchyard/bus';
import { errorBody, GatewayError, type Principal, relayedHeaders, toGatewayError } from '@switchyard/contracts';
import type { EntryPermit } from '../door.ts';
import type { MemoryBudget } from '../http/memory-budget.ts';
import { corsHeaders } from '../http/cors.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { sendError } from '../http/send-error.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import { bodyWriter } from './body-writer.ts';
import { pathAfter } from './path-after.ts';
import { declaredLength, readRequestBody } from './read-body.ts';
import type { RunningRequests } from './running-requests.ts';
import { type EdgeTimes, serverTiming } from './server-timing.ts';
import { writeBody } from './write-body.ts';

export interface RelayOptions {
  memory: MemoryBudget;
  /** Lets the request in, or throws. The headers it adds are sent with the answer, whatever that is. */
  enter(context: RequestContext, addHeaders: (headers: Headers) => void): Promise<EntryPermit>;
  open(request: ExchangeRequest): Promise<ExchangeResponse>;
  /** Where the route's own path ends and the id of what is asked for begins; absent where there is none. */
  pathStart?: string | undefined;
  timeoutMs: number;
  /** Throws for a body of a kind the route cannot read. */
  check(headers: IncomingMessage['headers']): void;
  running: RunningRequests;
}

type Headers = Record<string, string>;

/** Identifies, admits, and moves a body to a service and its answer back, as bytes both ways. */
export async function relay(context: RequestContext, options: RelayOptions): Promise<RelayOutcome> {
  const { request, response } = context;
  const startedAt = performance.now();
  const leaving = new AbortController();
  const onClose = (): void => leaving.abort();
  response.on('close', onClose);
  options.running.enter(leaving);
  const added: Headers = {};
  let entry: EntryPermit | undefined;
  try {
    entry = await options.enter(context, (headers) => Object.assign(added, headers));
    options.check(request.headers);
    const { principal } = entry;
    const caller = { principal, added, signal: leaving.signal, startedAt, authMs: performance.now() - startedAt };
    return await pass(context, options, caller);
  } catch (thrown) {
    const error = response.destroyed ? clientGone(thrown) : whyEnded(thrown, options.running);
    if (!response.destroyed) refuse(context, error, added);
    return { status: error.status, error };
  } finally {
    entry?.leave();
    response.off('close', onClose);
    options.running.leave(leaving);
  }
}

/** If this process is ending, report that, not the error it caused. */
function whyEnded(thrown: unknown, running: RunningRequests): GatewayError {
  return toGatewayError(running.ending() ?? thrown);
}

interface IdentifiedCaller {
  principal: Principal | undefined;
  /** Headers the door adds to the answer. */
  added: Headers;
  signal: AbortSignal;
  startedAt: number;
  authMs: number;
}

async function pass(context: RequestContext, options: RelayOptions, caller: IdentifiedCaller): Promise<RelayOutcome> {
  const { request, requestId, query, traceparent } = context;
  const { principal, signal } = caller;
  const reservation = options.memory.reserve(declaredLength(request) ?? 0);
  try {
    const body = await readRequestBody(request, reservation);
    const head = {
      requestId,
      traceparent,
      timeoutMs: options.timeoutMs,
      headers: pickHeaders(request),
      ...(principal && { principal }),
      ...(query && { query }),
      ...(options.pathStart !== undefined && { path: pathAfter(options.pathStart, request.url ?? '') }),
    };
    const answered = await options.open({ head, body, signal });
    return await answer(context, answered, { running: options.running, added: caller.added, times: timesOf(caller) });
  } finally {
    reservation.release();
  }
}

const timesOf = ({ startedAt, authMs }: IdentifiedCaller): EdgeTimes => ({
  authMs,
  totalMs: performance.now() - startedAt,
});

interface AnswerOptions {
  running: RunningRequests;
  added: Headers;
  times: EdgeTimes;
}

async function answer(
  context: RequestContext,
  { head, body }: ExchangeResponse,
  options: AnswerOptions,
): Promise<RelayOutcome> {
  const { response } = context;
  const { 'content-length': length, 'content-type': type } = head.headers;
  response.writeHead(head.status, headersOf(context, head.headers, options));
  const isEventStream = type?.startsWith('text/event-stream') ?? false;
  if (isEventStream) response.flushHeaders();
  const writer = bodyWriter(response);
  try {
    await writeBody(response, writer, { body, length: length === undefined ? undefined : Number(length) });
    return { status: head.status };
  } catch (thrown) {
    if (response.destroyed) throw thrown;
    const error = whyEnded(thrown, options.running);
    if (isEventStream && !response.writableEnded) writer.end(errorEvent(error));
    else response.destroy();
    return { status: head.status, error };
  }
}

/** After the first byte an event stream can still say what happened; any other answer must not look complete. */
const errorEvent = (error: GatewayError): Uint8Array => Buffer.from(`data: ${JSON.stringify(errorBody(error))}\n\n`);

const onEveryAnswer = { ...securityHeaders, ...corsHeaders };

function headersOf({ requestId }: RequestContext, own: Headers, { added, times }: AnswerOptions): Headers {
  const headers: Headers = { ...onEveryAnswer, ...added, ...own, 'x-request-id': requestId };
  const timing = serverTiming(own['server-timing'], times);
  if (timing !== undefined) headers['server-timing'] = timing;
  return headers;
}

/** Less than this is read and forgotten, which costs less than another connection. */
const forgettableBytes = 64 * 1024;

/** A large body that nobody will read is not waited for: the connection ends with the answer. */
function refuse({ request, response, requestId }: RequestContext, error: GatewayError, added: Headers): void {
  const rest = declaredLength(request) ?? Number.POSITIVE_INFINITY;
  if (!request.complete && rest > forgettableBytes) response.setHeader('connection', 'close');
  for (const [name, value] of Object.entries(added)) response.setHeader(name, value);
  sendError(response, error, requestId);
}

function pickHeaders({ headers }: IncomingMessage): Headers {
  const picked: Headers = {};
  for (const name of relayedHeaders) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

function clientGone(cause: unknown): GatewayError {
  return new GatewayError('client_closed_request', 'The client went away.', { cause });
}
