import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { ExchangeResponse } from '@tallyport/bus';
import { GatewayError, longestSocketMs, type RequestHead, type SessionErrors } from '@tallyport/contracts';
import { encodeSocketMessage, type SocketMessage, SocketMessageDecoder } from '@tallyport/wire';
import { keyIn } from '../../authenticate/credentials.ts';
import type { RelayOptions } from '../../relay/relay.ts';
import { relayedHead } from '../../relay/relayed-head.ts';
import type { TrackedRequest, RelayOutcome } from '../../request-context.ts';
import type { Tracker } from '../../track.ts';
import { type ClientSecret, type ClientSecrets, looksLikeClientSecret } from '../../authenticate/client-secrets.ts';
import { closeTexts, type Ending } from '../closings.ts';
import { type MessageOptions, type RelayedMessage, serveMessage } from '../serve-message.ts';
import type { OpenedSocket, SocketProtocol } from '../socket-route.ts';

interface RealtimeSocketOptions extends MessageOptions, Pick<RelayOptions, 'timeoutMs'>, Pick<Tracker, 'trackMessage'> {
  /** Of pages of browsers. */
  secrets: Pick<ClientSecrets, 'open'>;
  sessionErrors: SessionErrors;
  route: string;
  method: string;
}

/** What is kept for a service that reads slowly, before the client's messages are not read any more. */
const mostUnread = 256 * 1024;
/** Of vendors. */
const largestMessage = 16 * 1024 * 1024;
/** A session is ended so long before its process is, so that what it used is reported. */
const reportMs = 4_000;

/** A session is one exchange that carries the messages of both sides. */
export const realtimeProtocol = (options: RealtimeSocketOptions): SocketProtocol => ({
  open: (opened) => openSession(opened, options),
});

function openSession(opened: OpenedSocket, options: RealtimeSocketOptions): ReturnType<SocketProtocol['open']> {
  const { socket, request } = opened;
  const { route, method } = options;
  const outgoing = new PassThrough({ highWaterMark: mostUnread });
  const key = keyIn(request.headers);
  const secret = key !== undefined && looksLikeClientSecret(key) ? options.secrets.open(key) : undefined;
  if (secret?.session !== undefined) outgoing.write(encodeSocketMessage(setUp(secret.session)));
  let isEnding = false;

  function report(error: GatewayError): void {
    const last = options.sessionErrors.last(error);
    if (last !== undefined) socket.sendUnasked(Buffer.from(last));
  }
  const served = options.trackMessage({ route, method, request }, async (arrived) =>
    serve(arrived, { ...opened, secret, outgoing, report, isEnding: () => isEnding }, options),
  );

  return {
    requests: () => 1,
    report,
    message(bytes, isBinary) {
      if (isEnding) return;
      if (outgoing.write(encodeSocketMessage({ kind: isBinary ? 'binary' : 'text', bytes }))) return;
      socket.pause();
      outgoing.once('drain', () => socket.resume());
    },
    async finish(why, deadlineMs = 0) {
      const mayRunMs = Math.max(0, deadlineMs - reportMs);
      if (mayRunMs > 0) await Promise.race([socket.closed, served, wait(mayRunMs, undefined, { ref: false })]);
      if (!isEnding) {
        if (socket.isOpen) report(endingErrors[why]());
        isEnding = true;
        outgoing.end(encodeSocketMessage({ kind: 'close', code: 1000, reason: '' }));
      }
      await served;
    },
  };
}

/** The first message of a client whose secret describes its session. */
const setUp = (session: object): SocketMessage => ({
  kind: 'text',
  bytes: Buffer.from(JSON.stringify({ type: 'session.update', session })),
});

interface ServedSession extends OpenedSocket {
  /** With which a page of a browser has opened it. */
  secret: ClientSecret | undefined;
  /** The client's messages for the service. */
  outgoing: PassThrough;
  report(error: GatewayError): void;
  /** Its client knows why, and the socket is closed for that reason. */
  isEnding(): boolean;
}

async function serve(
  arrived: TrackedRequest,
  session: ServedSession,
  options: RealtimeSocketOptions,
): Promise<RelayOutcome> {
  const { socket, signal, outgoing, report } = session;
  return serveMessage(
    arrived,
    {
      socket,
      signal,
      body: outgoing,
      head: (relayed) => headOf(relayed, session.secret, options),
      send: async (answer) => sendMessages(answer, session),
      fail(error) {
        report(error);
        socket.end(options.sessionErrors.closeCode(error), error.message);
      },
    },
    options,
  );
}

function headOf(
  relayed: RelayedMessage,
  secret: ClientSecret | undefined,
  options: RealtimeSocketOptions,
): RequestHead {
  // The socket is closed first.
  const timeoutMs = longestSocketMs + options.timeoutMs;
  return { ...relayedHead(relayed, { timeoutMs }), query: queryOf(relayed.request, secret) };
}

/** What a page may open is in its secret: a session that transcribes has the model of the secret only. */
function queryOf({ url = '' }: IncomingMessage, secret: ClientSecret | undefined): string | undefined {
  if (secret?.type === 'transcription') return `intent=transcription&model=${encodeURIComponent(secret.model)}`;
  const mark = url.indexOf('?');
  return mark < 0 ? undefined : url.slice(mark + 1);
}

async function sendMessages({ body }: ExchangeResponse, { socket, isEnding }: ServedSession): Promise<void> {
  const decoder = new SocketMessageDecoder(largestMessage);
  for await (const piece of body) {
    for (const message of decoder.push(piece)) {
      if (message.kind === 'close') return isEnding() ? undefined : socket.end(message.code, message.reason);
      const room = socket.send(message.bytes, message.kind);
      if (room !== undefined) await room;
    }
  }
  throw new GatewayError('stream_truncated', 'The session ended without a reason. Open another one.');
}

const endingErrors = {
  age: () => new GatewayError('deadline_exceeded', closeTexts.age),
  key: () => new GatewayError('invalid_api_key', closeTexts.key),
  restart: () => new GatewayError('unavailable', closeTexts.restart, { retryAfterMs: 1_000 }),
} as const satisfies Readonly<Record<Ending, () => GatewayError>>;
