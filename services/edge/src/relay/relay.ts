import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body, ExchangeRequest, ExchangeResponse } from '@tallyport/bus';
import { type ErrorForm, type GatewayError, type ResponseHead, toGatewayError } from '@tallyport/contracts';
import { joinedLimits, type Leave } from '@tallyport/limits';
import type { EntryRequest } from '../door.ts';
import type { ByteLimit, MemoryBudget, MemoryReservation } from '../http/memory-budget.ts';
import { apiHeaders } from '../http/api-headers.ts';
import { clientLeft, hasLeft, refuseIfLeft } from '../http/has-left.ts';
import { idHeaders } from '../http/id-headers.ts';
import type { RunningUploads } from '../http/running-uploads.ts';
import { sendError } from '../http/send-error.ts';
import { closeAfterUnread, declaredLength, forgettableBytes } from '../http/unread-body.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import { bodyWriter } from './body-writer.ts';
import type { PathPlace } from './path-place.ts';
import { noBody, readRequestBody, readUpload } from './read-body.ts';
import { recordRefusal, type RefusalTools } from './record-refusal.ts';
import { relayedHead } from './relayed-head.ts';
import { RelayedRequest, type StartedAnswer } from './relayed-request.ts';
import type { RunningRequests } from './running-requests.ts';
import { serverTiming } from './server-timing.ts';
import { writeBody } from './write-body.ts';

export interface RelayOptions extends RefusalTools {
  memory: MemoryBudget;
  /** The largest accepted body; undefined if the route accepts none. */
  largest: ByteLimit | undefined;
  /** Present if the body is passed on as it arrives: how long the client may pause. */
  upload?: { pauseMs: number; running: RunningUploads } | undefined;
  /** Admits the request, or throws. The headers it adds are sent with any response, also with an error. */
  enter(entry: EntryRequest): Leave | Promise<Leave>;
  open(request: ExchangeRequest, of: IncomingMessage): Promise<ExchangeResponse>;
  /** The open part of the path; absent for routes without one. */
  place?: PathPlace | undefined;
  /** The headers about limits under further names, made from those that a response has. */
  limitNames?: ((headers: Headers, now: number) => Headers) | undefined;
  timeoutMs: number;
  /** Throws for an unsupported content type. */
  check(headers: IncomingMessage['headers']): void;
  running: RunningRequests;
  errors: ErrorForm;
  /** Whether the service gets the limits of the caller, which it applies when it answers later. */
  isDeferrable?: true | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Authenticates and admits a request, then relays its body to a service and the response back, as bytes both ways. */
export async function relay(context: RequestContext, options: RelayOptions): Promise<RelayOutcome> {
  const relayed = new RelayedRequest(context, options.running.signalOf(context.request));
  let leave: Leave | undefined;
  let reservation: MemoryReservation | undefined;
  const endUpload = options.upload?.running.begin(context.request.socket);
  try {
    leave = await options.enter(relayed);
    options.check(relayed.request.headers);
    relayed.authMs = relayed.elapsedMs();
    reservation = reserve(relayed, options);
    const body = readBody(relayed, reservation, options);
    const exchanged = await open(relayed, body instanceof Promise ? await body : body, options);
    relayed.answer = startAnswer(relayed, exchanged.head, options);
    await writeBody(context.response, relayed.answer, exchanged.body);
    return { status: exchanged.head.status };
  } catch (thrown) {
    return fail(relayed, thrown, options);
  } finally {
    reservation?.release();
    leave?.();
    endUpload?.();
  }
}

/** Reserves memory for the body; `undefined` if the route accepts none. */
function reserve(
  { request, principal }: RelayedRequest,
  { memory, largest, upload }: RelayOptions,
): MemoryReservation | undefined {
  if (largest === undefined) return undefined;
  const declaredBytes = declaredLength(request) ?? 0;
  const mostHeld = upload && mostOfUpload;
  return memory.reserve({ declaredBytes, holder: principal?.accountId, largest, mostHeld });
}

/** More than the frames that the bus has not confirmed and the buffers of the connection. */
const mostOfUpload = 1024 ** 2;

function readBody(
  { request, context }: RelayedRequest,
  reservation: MemoryReservation | undefined,
  { upload }: RelayOptions,
): Body | Promise<Body> {
  if (reservation !== undefined && upload) return readUpload(request, reservation, upload.pauseMs);
  if (reservation !== undefined) return readRequestBody(request, reservation);
  refuseIfLeft(request);
  closeAfterUnread(request, context.response);
  return noBody;
}

function open(relayed: RelayedRequest, body: Body, options: RelayOptions): Promise<ExchangeResponse> {
  const head = relayedHead(relayed, options);
  relayed.isOpened = true;
  return options.open({ head, body, signal: relayed.signal }, relayed.request);
}

/** Sends the head of the answer. */
function startAnswer(
  relayed: RelayedRequest,
  { status, headers }: ResponseHead,
  { limitNames, errors }: RelayOptions,
): StartedAnswer {
  const { response } = relayed.context;
  // A service may answer before it has read the whole body.
  closeAfterUnread(relayed.request, response, forgettableBytes);
  const { 'content-length': length, 'content-type': type } = headers;
  response.writeHead(status, headersOf(relayed, headers, { limitNames, errors }));
  const isEventStream = type?.startsWith('text/event-stream') ?? false;
  if (isEventStream) response.flushHeaders();
  const writer = bodyWriter(response);
  return { status, isEventStream, writer, length: length === undefined ? undefined : Number(length) };
}

function fail(relayed: RelayedRequest, thrown: unknown, options: RelayOptions): RelayOutcome {
  const { answer, request, context } = relayed;
  if (context.response.destroyed || hasLeft(request)) {
    const error = clientLeft(thrown);
    return { status: error.status, error };
  }
  const error = endingReasonOr(thrown, options.running);
  if (answer !== undefined) {
    breakOff(context.response, answer, options.errors.lastEvent(error));
    return { status: answer.status, error };
  }
  refuse(relayed, error, options);
  recordRefusal(relayed, error, options);
  return { status: error.status, error };
}

/** After its head, an event stream can still report an error. Any other response must not look complete. */
function breakOff(response: ServerResponse, { isEventStream, writer }: StartedAnswer, lastEvent: string): void {
  if (isEventStream && !response.writableEnded) writer.end(Buffer.from(lastEvent));
  else response.destroy();
}

/** If this process is shutting down, report that, not the error it caused. */
function endingReasonOr(thrown: unknown, running: RunningRequests): GatewayError {
  return toGatewayError(running.ending() ?? thrown);
}

/** Later ones replace earlier ones of the same name. */
function headersOf(
  relayed: RelayedRequest,
  own: Headers,
  { limitNames, errors }: Pick<RelayOptions, 'limitNames' | 'errors'>,
): Headers {
  const { request, context, added, authMs } = relayed;
  const headers: Record<string, string> = {
    ...apiHeaders(request),
    ...added,
    ...own,
    ...idHeaders(context.requestId, errors),
  };
  if (own.ratelimit !== undefined) Object.assign(headers, joinedLimits(added, own));
  if (limitNames) Object.assign(headers, limitNames(headers, Date.now()));
  const timing = serverTiming(own['server-timing'], { authMs, totalMs: relayed.elapsedMs() });
  if (timing !== undefined) headers['server-timing'] = timing;
  return headers;
}

function refuse({ context, added }: RelayedRequest, error: GatewayError, { errors, limitNames }: RelayOptions): void {
  const { request, response, requestId } = context;
  closeAfterUnread(request, response, forgettableBytes);
  const headers = { ...added, ...limitNames?.(added, Date.now()) };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendError(response, error, { requestId, errors });
}
