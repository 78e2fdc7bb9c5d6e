import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { UpstreamHead } from '../http/call.ts';
import type { WireRequest } from '../http/open.ts';
import { asUpstreamFailure, type UpstreamFailure } from '../http/upstream-failure.ts';
import { createCachedLookup, lookupForNode } from '../names/cached-lookup.ts';
import { UpstreamSocket } from './upstream-socket.ts';

/** A vendor that refused to open a socket. */
export interface RefusedSocket extends UpstreamHead {
  /** Of the body, as far as it is read. */
  text: string;
}

interface OpeningSocket {
  /** Rejects with UpstreamFailure. */
  opened: Promise<UpstreamSocket | RefusedSocket>;
  /** Gives up an opening, or disconnects the socket. */
  abort(failure: UpstreamFailure): void;
}

/** Sockets at vendors. */
export interface UpstreamSockets {
  open(request: Pick<WireRequest, 'origin' | 'path' | 'headers'>): OpeningSocket;
  /** Disconnects every socket at once. */
  close(): void;
}

interface SocketOptions {
  /** For the connection, TLS and the handshake. */
  openMs: number;
  maxMessageBytes: number;
}

/** The most that is read of a refusal. */
const maxErrorBytes = 256 * 1024;

export function createSockets({ openMs, maxMessageBytes }: SocketOptions): UpstreamSockets {
  const names = createCachedLookup();
  const sockets = new Set<WebSocket>();
  return {
    open({ origin, path, headers }) {
      const webSocket = new WebSocket(`${origin.replace(/^http/, 'ws')}${path}`, {
        headers,
        handshakeTimeout: openMs,
        maxPayload: maxMessageBytes,
        perMessageDeflate: false,
        followRedirects: false,
        lookup: lookupForNode(names.lookup),
      });
      sockets.add(webSocket);
      webSocket.once('close', () => sockets.delete(webSocket));
      return opening(webSocket);
    },
    close() {
      for (const webSocket of sockets) webSocket.terminate();
    },
  };
}

function opening(webSocket: WebSocket): OpeningSocket {
  const found = Promise.withResolvers<UpstreamSocket | RefusedSocket>();
  let socket: UpstreamSocket | undefined;
  webSocket.once('upgrade', () => {
    // The first message may be read in the same turn as the handshake.
    socket = new UpstreamSocket(webSocket);
  });
  webSocket.once('open', () => socket && found.resolve(socket));
  webSocket.once('unexpected-response', (_request, response: IncomingMessage) => {
    void refusalOf(response).then((refusal) => {
      found.resolve(refusal);
      webSocket.terminate();
    });
  });
  webSocket.on('error', (error) => found.reject(asUpstreamFailure(error, { headSeen: false })));
  return {
    opened: found.promise,
    abort(failure) {
      found.reject(failure);
      if (socket === undefined) webSocket.terminate();
      else socket.abort(failure);
    },
  };
}

async function refusalOf(response: IncomingMessage): Promise<RefusedSocket> {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxErrorBytes) break;
    }
  } catch {
    // The status alone makes an error as well.
  }
  return { status, headers, text: Buffer.concat(chunks).toString('utf8', 0, maxErrorBytes) };
}
