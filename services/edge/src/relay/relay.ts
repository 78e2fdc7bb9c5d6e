import type { IncomingMessage } from 'node:http';
import type { Body, ExchangeRequest, ExchangeResponse } from '@switchyard/bus';
import {
  type ErrorForm,
  type GatewayError,
  type Principal,
  relayedHeaders,
  toGatewayError,
  type UsageOperation,
} from '@switchyard/contracts';
import type { EntryPermit, EntryRequest } from '../door.ts';
import type { ByteLimit, MemoryBudget } from '../http/memory-budget.ts';
import { apiHeaders } from '../http/api-headers.ts';
import { clientLeft, hasLeft, refuseIfLeft } from '../http/has-left.ts';
import { sendError } from '../http/send-error.ts';
import { closeAfterUnread, declaredLength, forgettableBytes } from '../http/unread-body.ts';
import type { RefusedAtEdge, RefusedRequests } from '../refusals/refused-requests.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import { bodyWriter } from './body-writer.ts';
import { pathAfter } from './path-after.ts';
import { noBody, readRequestBody } from './read-body.ts';
import type { RunningRequests } from './running-requests.ts';
import { type EdgeTimes, serverTiming } from './server-timing.ts';
import { writeBody } from './write-body.ts';

export interface RelayOptions {
  memory: MemoryBudget;
  /** The largest accepted body; undefined if the route accepts none. */
  largest: ByteLimit | undefined;
  /** Admits the request, or throws. The headers it adds are sent with any response, also with an error. */
  enter(context: RequestContext, told: Pick<EntryRequest, 'addHeaders' | 'onCaller'>): Promise<EntryPermit>;
  open(request: ExchangeRequest): Promise<ExchangeResponse>;
  /** The fixed start of a path that ends in an id; absent for routes without one. */
  pathStart?: string | undefined;
  timeoutMs: number;
  /** Throws for an unsupported content type. */
  check(headers: IncomingMessage['headers']): void;
  running: RunningRequests;
  errors: ErrorForm;
  /** What a refused request is recorded as; absent for requests that cost nothing. */
  operation?: UsageOperation | undefined;
  refused: RefusedRequests;
}

type Headers = Record<string, string>;

/** Authenticates and admits a request, then relays its body to a service and the response back, as bytes both ways. */
export async function relay(context: RequestContext, options: RelayOptions): Promise<RelayOutcome> {
  const { request, response } = context;
  const startedAt = performance.now();
  const abort = new AbortController();
  const onClose = (): void => abort.abort();
  response.on('close', onClose);
  options.running.enter(abort);
  const added: Headers = {};
  const progress: Progress = { principal: undefined, isOpened: false };
  let entry: EntryPermit | undefined;
  try {
    entry = await options.enter(context, {
      addHeaders: (headers) => Object.assign(added, headers),
      onCaller: (principal) => (progress.principal = principal),
    });
    options.check(request.headers);
    const { principal } = entry;
    const authMs = performance.now() - startedAt;
    const caller = { principal, added, signal: abort.signal, startedAt, authMs, progress };
    return await relayBody(context, options, caller);
  } catch (thrown) {
    const isGone = response.destroyed || hasLeft(request);
    const error = isGone ? clientLeft(thrown) : endingReasonOr(thrown, options.running);
    if (!isGone) {
      refuse(context, error, { added, errors: options.errors });
      const durationMs = performance.now() - startedAt;
      recordRefusal({ requestId: context.requestId, durationMs, ...progress }, error, options);
    }
    return { status: error.status, error };
  } finally {
    entry?.leave();
    response.off('close', onClose);
    options.running.leave(abort);
  }
}

/** How far a request came. */
interface Progress {
  principal: Principal | undefined;
  /** A service has the request: it records its own refusals. */
  isOpened: boolean;
}

function recordRefusal(
  { principal, isOpened, ...request }: Progress & Pick<RefusedAtEdge, 'requestId' | 'durationMs'>,
  error: GatewayError,
  { operation, refused }: RelayOptions,
): void {
  if (principal === undefined || operation === undefined || isOpened) return;
  refused.record({ ...request, principal, operation }, error);
}

/** If this process is shutting down, report that, not the error it caused. */
function endingReasonOr(thrown: unknown, running: RunningRequests): GatewayError {
  return toGatewayError(running.ending() ?? thrown);
}

interface IdentifiedCaller {
  principal: Principal | undefined;
  /** Headers that the door adds to the response. */
  added: Headers;
  signal: AbortSignal;
  startedAt: number;
  authMs: number;
  progress: Progress;
}

async function relayBody(
  context: RequestContext,
  options: RelayOptions,
  caller: IdentifiedCaller,
): Promise<RelayOutcome> {
  const { request, response } = context;
  if (options.largest === undefined) {
    refuseIfLeft(request);
    closeAfterUnread(request, response);
    return exchange(context, options, { caller, body: noBody });
  }
  const declaredBytes = declaredLength(request) ?? 0;
  const holder = caller.principal?.accountId;
  const reservation = options.memory.reserve({ declaredBytes, holder, largest: options.largest });
  try {
    const body = await readRequestBody(request, reservation);
    return await exchange(context, options, { caller, body });
  } finally {
    reservation.release();
  }
}

async function exchange(
  context: RequestContext,
  options: RelayOptions,
  { caller, body }: { caller: IdentifiedCaller; body: Body },
): Promise<RelayOutcome> {
  const { request, requestId, query, traceparent } = context;
  const { principal, signal } = caller;
  const head = {
    requestId,
    traceparent,
    timeoutMs: options.timeoutMs,
    headers: pickHeaders(request),
    ...(principal && { principal }),
    ...(query && { query }),
    ...(options.pathStart !== undefined && { path: pathAfter(options.pathStart, request.url ?? '') }),
  };
  caller.progress.isOpened = true;
  const exchanged = await options.open({ head, body, signal });
  return answer(context, exchanged, {
    running: options.running,
    added: caller.added,
    times: timesOf(caller),
    errors: options.errors,
  });
}

const timesOf = ({ startedAt, authMs }: IdentifiedCaller): EdgeTimes => ({
  authMs,
  totalMs: performance.now() - startedAt,
});

interface AnswerOptions {
  running: RunningRequests;
  added: Headers;
  times: EdgeTimes;
  errors: ErrorForm;
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
    const error = endingReasonOr(thrown, options.running);
    // After its head, an event stream can still report an error. Any other response must not look complete.
    if (isEventStream && !response.writableEnded) writer.end(Buffer.from(options.errors.lastEvent(error)));
    else response.destroy();
    return { status: head.status, error };
  }
}

function headersOf({ request, requestId }: RequestContext, own: Headers, { added, times }: AnswerOptions): Headers {
  const headers: Headers = { ...apiHeaders(request), ...added, ...own, 'x-request-id': requestId };
  const timing = serverTiming(own['server-timing'], times);
  if (timing !== undefined) headers['server-timing'] = timing;
  return headers;
}

function refuse(
  { request, response, requestId }: RequestContext,
  error: GatewayError,
  { added, errors }: Pick<AnswerOptions, 'added' | 'errors'>,
): void {
  closeAfterUnread(request, response, forgettableBytes);
  for (const [name, value] of Object.entries(added)) response.setHeader(name, value);
  sendError(response, error, { requestId, errors });
}

function pickHeaders({ headers }: IncomingMessage): Headers {
  const picked: Headers = {};
  for (const name of relayedHeaders) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}
