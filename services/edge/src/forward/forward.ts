import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeRequest, ExchangeResponse } from '@tallyport/bus';
import { type CallerRights, GatewayError, type Principal, type ResponseHead } from '@tallyport/contracts';
import type { ClientAddress } from '../authenticate/client-address.ts';
import { hasLeft, refuseIfLeft } from '../http/has-left.ts';
import { bodyWriter, joinLimit } from '../relay/body-writer.ts';
import type { RunningRequests } from '../relay/running-requests.ts';
import { writeBody } from '../relay/write-body.ts';
import type { RelayOutcome, RequestContext } from '../request-context.ts';
import { forwardedHeaders } from './headers.ts';

export interface ForwardOptions {
  open(request: ExchangeRequest): Promise<ExchangeResponse>;
  publicUrl(request: IncomingMessage): URL;
  addressOf: ClientAddress;
  running: RunningRequests;
  /** Client headers that the service must not see. */
  withheld?: ReadonlySet<string>;
  /** How long the exchange may take. */
  timeoutMs: number;
  /** How long the service may take for the head of its response. */
  silenceMs?: number;
  /** The response if the service gives none. */
  unreachable: {
    status: number;
    message: string;
    send(response: ServerResponse, error: GatewayError): void;
    /** The bytes that end a body which broke off; `undefined` if the client must see that it is incomplete. */
    lastBytes?(answer: ResponseHead, request: Uint8Array): Uint8Array | undefined;
  };
}

/** What is forwarded: the whole body, and the caller for services that do not identify it themselves. */
interface ForwardedRequest {
  body: Uint8Array;
  principal?: Principal;
  rights?: CallerRights;
}

/**
 * Forwards an HTTP request to a service that answers HTTP itself. Resolves when the response has ended, successfully or
 * not; never rejects.
 */
export type Forward = (exchange: ForwardContext, forwarded: ForwardedRequest) => Promise<RelayOutcome>;

type ForwardContext = Pick<RequestContext, 'request' | 'response' | 'requestId'> &
  Partial<Pick<RequestContext, 'traceparent'>>;

const clientClosedRequest = 499;
const nothing: ReadonlySet<string> = new Set();

/** The body is complete before the service sees the request, so no service waits for a client's upload. */
export function createForward(options: ForwardOptions): Forward {
  return async (context, forwarded) => {
    const { request, response } = context;
    try {
      refuseIfLeft(request);
      const exchange = await openExchange(context, forwarded, options);
      const lastBytes = () => options.unreachable.lastBytes?.(exchange.head, forwarded.body);
      const cut = await passBack(exchange, { response, lastBytes });
      return { status: response.statusCode, ...(cut && { error: reasonOf(cut.cause, options) }) };
    } catch (cause) {
      return fail(context, cause, options);
    }
  };
}

async function openExchange(
  { request, requestId, traceparent }: ForwardContext,
  { body, principal, rights }: ForwardedRequest,
  { open, publicUrl, addressOf, running, withheld = nothing, timeoutMs, silenceMs }: ForwardOptions,
): Promise<ExchangeResponse> {
  const { method = '', url = '/' } = request;
  const http = { method, url, address: addressOf(request), publicOrigin: publicUrl(request).origin };
  const headers = forwardedHeaders(request.headers, { withheld, bodyLength: body.length });
  const head = { requestId, timeoutMs, traceparent, principal, rights, http, headers };
  const signal = running.signalOf(request);
  if (silenceMs === undefined) return open({ head, body, signal });
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  const exchange = { head, body, signal: AbortSignal.any([signal, silence.signal]) };
  return open(exchange).finally(() => clearTimeout(timer));
}

interface PassBackTo {
  response: ServerResponse;
  lastBytes(): Uint8Array | undefined;
}

/** A body broke off, and was ended with the last bytes. */
interface Cut {
  cause: unknown;
}

/** Nearly all responses are small: those are read whole, so that head and body leave in one write. */
async function passBack(
  { head, body }: ExchangeResponse,
  { response, lastBytes }: PassBackTo,
): Promise<Cut | undefined> {
  const whole = isSmall(head) ? await body.bytes(joinLimit) : undefined;
  response.writeHead(head.status, head.setCookie ? { ...head.headers, 'set-cookie': head.setCookie } : head.headers);
  const writer = bodyWriter(response);
  if (whole) {
    writer.end(whole);
    return undefined;
  }
  // Otherwise the headers of a quiet event stream would wait for its first byte.
  response.flushHeaders();
  try {
    await writeBody(response, { writer, length: undefined }, body);
    return undefined;
  } catch (cause) {
    const last = response.destroyed ? undefined : lastBytes();
    if (last === undefined) throw cause;
    writer.end(last);
    return { cause };
  }
}

const isSmall = ({ headers: { 'content-length': length } }: ResponseHead): boolean =>
  length !== undefined && Number(length) <= joinLimit;

/**
 * After its head, a response must not look complete unless its last bytes say why. If this process is shutting down, that
 * is the reason.
 */
function fail({ request, response }: ForwardContext, cause: unknown, options: ForwardOptions): RelayOutcome {
  if (response.headersSent) {
    response.destroy();
    return { status: response.statusCode };
  }
  if (response.destroyed || hasLeft(request)) return { status: clientClosedRequest };
  const error = reasonOf(cause, options);
  options.unreachable.send(response, error);
  return { status: error.status, error };
}

function reasonOf(cause: unknown, { unreachable: { status, message }, running }: ForwardOptions): GatewayError {
  return running.ending() ?? new GatewayError('unavailable', message, { cause, status, retryAfterMs: 1000 });
}
