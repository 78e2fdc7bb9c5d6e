import type { ExchangeResponse } from '@tallyport/bus';
import { GatewayError, type RequestHead } from '@tallyport/contracts';
import { createSseDecoder, type Frame } from '@tallyport/wire';
import type { RelayOptions } from '../../relay/relay.ts';
import { relayedHead } from '../../relay/relayed-head.ts';
import type { TrackedRequest, RelayOutcome } from '../../request-context.ts';
import type { ClientSocket } from '../client-socket.ts';
import { type MessageOptions, type RelayedMessage, serveMessage } from '../serve-message.ts';
import type { CreateEvent } from './client-event.ts';
import { errorEvent, inLane, laneMemberOf, refusalEvent } from './server-event.ts';

export type CreateOptions = MessageOptions & Pick<RelayOptions, 'timeoutMs' | 'errors'>;

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
  const { create, socket, signal } = served;
  return serveMessage(
    arrived,
    {
      socket,
      signal,
      body: create.body,
      head: (relayed) => headOf(relayed, served, options),
      send: async (answer, relayed) =>
        answer.head.status < 400 ? sendEvents(answer, served) : sendRefusal(answer, relayed, served),
      fail(error, { context: { requestId }, added: headers }) {
        socket.sendUnasked(errorEvent(error, { lane: create.lane, requestId, headers }));
      },
    },
    options,
  );
}

/** Headers of the upgrade that say something about one request, and would be repeated with each. */
const ofOneRequest = ['accept', 'accept-encoding', 'idempotency-key', 'if-none-match', 'last-event-id'];

function headOf(
  relayed: RelayedMessage,
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
  { context: { requestId }, added }: RelayedMessage,
  { create: { lane }, socket }: ServedCreate,
): Promise<void> {
  const text = Buffer.from(await body.bytes(largestRefusal)).toString();
  const headers = { ...added, ...head.headers };
  socket.sendUnasked(refusalEvent({ status: head.status, headers, body: JSON.parse(text) }, { lane, requestId }));
}
