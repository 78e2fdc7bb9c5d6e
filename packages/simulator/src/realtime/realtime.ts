import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { bearerOf, isAcceptedKey, type SimulationOptions } from '@tallyport/sandbox';
import { WebSocketServer } from 'ws';
import { type LiveSession, SimulatedLiveSession } from './live-session.ts';
import { type RealtimeSession, SimulatedSession } from './session.ts';

/** The sockets of the simulated vendors. */
export interface RealtimeVendor {
  /** Since the start, in order. */
  readonly sessions: readonly RealtimeSession[];
  /** Of Google's Live API. */
  readonly liveSessions: readonly LiveSession[];
}

interface RealtimeServer extends RealtimeVendor {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

const livePath = '/google/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';

/** A model that no key may use. */
const refusedModel = 'gpt-realtime-refused';

type RealtimeOptions = Pick<SimulationOptions, 'apiKeys' | 'labelOf'>;

export function createRealtime({ apiKeys = [], labelOf }: RealtimeOptions): RealtimeServer {
  const sessions: SimulatedSession[] = [];
  const liveSessions: SimulatedLiveSession[] = [];
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  return {
    sessions,
    liveSessions,
    upgrade(request, socket, head) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
      if (pathname === livePath) {
        if (!isAcceptedKey(request.headers['x-goog-api-key'], apiKeys)) return refuse(socket, 401);
        return server.handleUpgrade(request, socket, head, (webSocket) => {
          liveSessions.push(new SimulatedLiveSession(webSocket, request.headers));
        });
      }
      const model = searchParams.get('model') ?? undefined;
      const transcribes = searchParams.get('intent') === 'transcription';
      if (!pathname.endsWith('/realtime') || transcribes === (model !== undefined)) return refuse(socket, 404);
      if (!isAcceptedKey(bearerOf(request.headers) ?? request.headers['api-key'], apiKeys) || model === refusedModel)
        return refuse(socket, 401);
      return server.handleUpgrade(request, socket, head, (webSocket) => {
        sessions.push(new SimulatedSession(webSocket, { model, headers: request.headers, labelOf }));
      });
    },
    close() {
      for (const client of server.clients) client.terminate();
    },
  };
}

function refuse(socket: Duplex, status: 401 | 404): void {
  const body = JSON.stringify({
    error: { message: 'Refused.', type: 'invalid_request_error', code: null, param: null },
  });
  const head = [`HTTP/1.1 ${status} Refused`, 'content-type: application/json', `content-length: ${body.length}`];
  socket.end(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`);
}
