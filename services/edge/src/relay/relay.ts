import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeRequest, ExchangeResponse } from '@switchyard/bus';
import { GatewayError, type Principal, relayedHeaders, toGatewayError } from '@switchyard/contracts';
import type { Admission } from '../http/admission.ts';
import { corsHeaders } from '../http/cors.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { breakOff, sendError } from '../http/send-error.ts';
import { declaredLength, readBody } from './read-body.ts';
import { writeBody } from './write-body.ts';

/** One request on its way through edge. */
export interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The query string without `?`. */
  query: string;
}

export interface RelayOptions {
  admission: Admission;
  /** Who is calling; `undefined` where the route needs no key and none was given. */
  identify(request: IncomingMessage): Promise<Principal | undefined> | Principal | undefined;
  open(request: ExchangeRequest): Promise<ExchangeResponse>;
  timeoutMs: number;
  traceparent(header: string | undefined): string;
  /** Throws for a body of a kind the route cannot read. */
  check(headers: IncomingMessage['headers']): void;
  /** Aborts, with the error to tell, when this process must end. */
  ending: AbortSignal;
}

/** How a passage ended, for the log and the metrics. */
export interface Outcome {
  status: number;
  error?: GatewayError;
}

/** Identifies, admits, and moves a body to a service and its answer back, as bytes both ways. */
export async function relay(passage: Passage, options: RelayOptions): Promise<Outcome> {
  const { request, response } = passage;
  const leaving = new AbortController();
  const onClose = (): void => leaving.abort();
  const onEnding = (): void => leaving.abort(options.ending.reason);
  response.on('close', onClose);
  options.ending.addEventListener('abort', onEnding);
  try {
    const principal = await options.identify(request);
    options.check(request.headers);
    return await pass(passage, options, { principal, signal: leaving.signal });
  } catch (thrown) {
    const error = response.destroyed ? clientGone(thrown) : whyEnded(thrown, options.ending);
    if (!response.destroyed) refuse(passage, error);
    return { status: error.status, error };
  } finally {
    response.off('close', onClose);
    options.ending.removeEventListener('abort', onEnding);
  }
}

/** What ended us outranks what it made fail. */
function whyEnded(thrown: unknown, ending: AbortSignal): GatewayError {
  return toGatewayError(ending.aborted ? ending.reason : thrown);
}

interface Caller {
  principal: Principal | undefined;
  signal: AbortSignal;
}

async function pass(passage: Passage, options: RelayOptions, { principal, signal }: Caller): Promise<Outcome> {
  const { request, requestId, query } = passage;
  const admitted = options.admission.admit(declaredLength(request) ?? 0);
  try {
    const body = await readBody(request, admitted);
    const head = {
      requestId,
      timeoutMs: options.timeoutMs,
      headers: pickHeaders(request),
      traceparent: options.traceparent(singleHeader(request.headers.traceparent)),
      ...(principal && { principal }),
      ...(query && { query }),
    };
    return await answer(passage, options, await options.open({ head, body, signal }));
  } finally {
    admitted.release();
  }
}

async function answer(
  { response, requestId }: Passage,
  { ending }: RelayOptions,
  { head, body }: ExchangeResponse,
): Promise<Outcome> {
  response.writeHead(head.status, { ...securityHeaders, ...corsHeaders, ...head.headers, 'x-request-id': requestId });
  const length = head.headers['content-length'];
  const isEventStream = head.headers['content-type']?.startsWith('text/event-stream') ?? false;
  if (isEventStream) response.flushHeaders();
  try {
    await writeBody(response, body, length === undefined ? undefined : Number(length));
    return { status: head.status };
  } catch (thrown) {
    if (response.destroyed) throw thrown;
    const error = whyEnded(thrown, ending);
    breakOff(response, error, isEventStream);
    return { status: head.status, error };
  }
}

/** A body that nobody will read is not waited for: the connection ends with the answer. */
function refuse({ request, response, requestId }: Passage, error: GatewayError): void {
  if (!request.complete) response.setHeader('connection', 'close');
  sendError(response, error, requestId);
}

function pickHeaders({ headers }: IncomingMessage): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of relayedHeaders) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

function clientGone(cause: unknown): GatewayError {
  return new GatewayError('client_closed_request', 'The client went away.', { cause });
}

const singleHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
