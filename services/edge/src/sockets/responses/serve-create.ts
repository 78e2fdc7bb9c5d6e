import type { ExchangeResponse } from '@tallyport/bus';
import { GatewayError, type RequestHead, toGatewayError } from '@tallyport/contracts';
import type { Leave } from '@tallyport/limits';
import { createSseDecoder, type Frame } from '@tallyport/wire';
import { clientLeft } from '../../http/has-left.ts';
import { recordRefusal } from '../../relay/record-refusal.ts';
import type { RelayOptions } from '../../relay/relay.ts';
import { relayedHead } from '../../relay/relayed-head.ts';
import { RelayedRequest } from '../../relay/relayed-request.ts';
import type { TrackedRequest, RelayOutcome } from '../../request-context.ts';
import type { ClientSocket } from '../client-socket.ts';
import type { CreateEvent } from './client-event.ts';
import { errorEvent, inLane, laneMemberOf, refusalEvent } from './server-event.ts';

export type CreateOptions = Pick<
  RelayOptions,
  'enter' | 'open' | 'timeoutMs' | 'operation' | 'refused' | 'running' | 'errors'
>;

interface ServedCreate {
  create: CreateEvent;
  socket: ClientSocket;
  /** Names the socket, unguessably. */
  socketId: string;
  /** Aborted when the socket is closed. */
  signal: AbortSignal;
  /** Called with the first event of the response. */
  onFirst(event: Buffer): void;
}

/** Serves one request of a socket as `POST /v1/responses` serves it, with an event in each message. */
export async function serveCreate(
  arrived: TrackedRequest,
  served: ServedCreate,
  options: CreateOptions,
): Promise<RelayOutcome> {
  const relayed = new RelayedRequest(arrived, served.signal);
  let leave: Leave | undefined;
  let status: number | undefined;
  try {
    leave = await options.enter(relayed);
    const head = headOf(relayed, served, options);
    relayed.isOpened = true;
    const answer = await options.open({ head, body: served.create.body, signal: served.signal }, relayed.request);
    status = answer.head.status;
    if (status < 400) await sendEvents(answer, served);
    else await sendRefusal(answer, relayed, served);
    return { status };
  } catch (thrown) {
    return fail(relayed, { served, status, thrown }, options);
  } finally {
    leave?.();
  }
}

/** Headers of the upgrade that say something about one request, and would be repeated with each. */
const ofOneRequest = ['accept', 'accept-encoding', 'idempotency-key', 'if-none-match', 'last-event-id'];

function headOf(
  relayed: RelayedRequest<TrackedRequest>,
  { create: { prepares }, socketId }: ServedCreate,
  options: CreateOptions,
): RequestHead {
  const head = relayedHead(relayed, options);
  const headers = Object.fromEntries(Object.entries(head.headers).filter(([name]) => !ofOneRequest.includes(name)));
  return {
    ...head,
    headers: { ...headers, 'content-type': 'application/json' },
    socket: { id: socketId, ...(prepares && { prepares }) },
  };
}

/** Images travel in events. */
const largestEvent = 128 * 1024 ** 2;
const largestRefusal = 1024 ** 2;

async function sendEvents({ body }: ExchangeResponse, { create, socket, onFirst }: ServedCreate): Promise<void> {
  const decoder = createSseDecoder({ maxFrameBytes: largestEvent });
  const laneMember = laneMemberOf(create.lane);
  let isFirst = true;

  async function send(frames: readonly Frame[]): Promise<void> {
    for (const { data } of frames) {
      if (isFirst) onFirst(data);
      isFirst = false;
      const room = socket.send(inLane(data, laneMember));
      if (room !== undefined) await room;
    }
  }

  for await (const bytes of body) await send(decoder.push(bytes));
  await send(decoder.end());
  if (isFirst) throw new GatewayError('stream_truncated', 'The response ended before its first event. Send it again.');
}

async function sendRefusal(
  { head, body }: ExchangeResponse,
  { context: { requestId }, added }: RelayedRequest<TrackedRequest>,
  { create: { lane }, socket }: ServedCreate,
): Promise<void> {
  const text = Buffer.from(await body.bytes(largestRefusal)).toString();
  const headers = { ...added, ...head.headers };
  socket.sendUnasked(refusalEvent({ status: head.status, headers, body: JSON.parse(text) }, { lane, requestId }));
}

interface Failure {
  served: ServedCreate;
  /** Of the response, if it had begun. */
  status: number | undefined;
  thrown: unknown;
}

function fail(
  relayed: RelayedRequest<TrackedRequest>,
  { served: { create, socket }, status, thrown }: Failure,
  options: CreateOptions,
): RelayOutcome {
  if (!socket.isOpen) {
    const error = clientLeft(thrown);
    return { status: error.status, error };
  }
  const error: GatewayError = toGatewayError(options.running.ending() ?? thrown);
  const { requestId } = relayed.context;
  socket.sendUnasked(errorEvent(error, { lane: create.lane, requestId, headers: relayed.added }));
  recordRefusal(relayed, error, options);
  return { status: status ?? error.status, error };
}
