import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request for a WebSocket, with the connection that Node hands over. */
export interface Upgrade {
  socket: Socket;
  /** What the client has sent behind its request. */
  head: Buffer;
}

export interface SocketRoute {
  (request: IncomingMessage, upgrade: Upgrade, query: string): void;
}

/** Other upgrades are ignored, as HTTP allows: some clients offer HTTP/2 with every request. */
export const asksForSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/** A response for an upgrade that is refused. It closes the connection. */
export function upgradeRefusal(request: IncomingMessage, { socket }: Upgrade): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    response.detachSocket(socket);
    socket.destroySoon();
  });
  return response;
}
