import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import type { ByteLimit } from '../http/memory-budget.ts';
import { markerOf } from './handshake.ts';

/** Of one message. No client cuts its messages into more. */
export const mostFragments = 4_096;
/** How long a client may take to answer a close frame. */
const closeMs = 5_000;

/** Completes handshakes, and reads and writes frames. */
export function createWebSocketServer({ bytes, setting }: ByteLimit): WebSocketServer {
  const explanations: Readonly<Record<number, string>> = {
    1007: 'The bytes of a text are not UTF-8.',
    1008: `A message has more than ${mostFragments} fragments, or arrives in too many pieces.`,
    1009: `A message is larger than ${bytes} bytes (${setting}).`,
  };

  /** Says why, where a frame is refused before it is read. */
  class ExplainingSocket extends WebSocket {
    override close(code?: number, reason?: string): void {
      super.close(code, reason ?? explanations[code ?? 0]);
    }
  }

  const options: ServerOptionsOfLibrary = {
    noServer: true,
    clientTracking: false,
    // Compression would keep a window for each socket.
    perMessageDeflate: false,
    maxPayload: bytes,
    maxFragments: mostFragments,
    closeTimeout: closeMs,
    handleProtocols: (offered) => markerOf([...offered]) ?? false,
    WebSocket: ExplainingSocket,
  };
  return new WebSocketServer(options);
}

/** The types lack one. */
type ServerOptionsOfLibrary = ServerOptions & { closeTimeout: number };
