import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { ProxiedRequest } from './proxied-request.ts';

interface SocketRecording {
  gatewayUrl: string;
  requests: ProxiedRequest[];
}

/** Passes WebSockets on to the gateway, and records each message as the request that it is over HTTP. */
export function recordSockets(server: Server, { gatewayUrl, requests }: SocketRecording): void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (incoming: IncomingMessage, connection: Duplex, head: Buffer) => {
    const { url: path = '/', headers } = incoming;
    const upstream = new WebSocket(gatewayUrl.replace('http', 'ws') + path, { headers: forwarded(headers) });
    upstream.on('error', () => connection.destroy());
    upstream.once('unexpected-response', (_request, { statusCode: status = 0 }) => {
      requests.push({ method: 'GET', path, body: '', status, refusal: 'the upgrade was refused' });
      connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-length: 0\r\n\r\n`);
    });
    upstream.once('open', () =>
      sockets.handleUpgrade(incoming, connection, head, (client) => relay(client, { upstream, path, requests })),
    );
  });
}

/** Those of the handshake are made again. */
const ofHandshake = /^(host|connection|upgrade|sec-websocket-.*)$/;

const forwarded = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofHandshake.test(name)));

interface RelayedSocket {
  upstream: WebSocket;
  path: string;
  requests: ProxiedRequest[];
}

function relay(client: WebSocket, { upstream, path, requests }: RelayedSocket): void {
  let running: ProxiedRequest | undefined;
  client.on('message', (data) => {
    const { type: _type, generate, ...body } = JSON.parse(textOf(data)) as Record<string, unknown>;
    running = { method: 'POST', path, body: JSON.stringify(body), status: 0 };
    // What is only prepared continues nothing that a test of bodies knows.
    if (generate !== false) requests.push(running);
    upstream.send(textOf(data));
  });
  upstream.on('message', (data) => {
    const text = textOf(data);
    const { type, status = 0 } = JSON.parse(text) as { type: string; status?: number };
    if (running !== undefined) running.status = type === 'error' ? status : 200;
    if (running !== undefined && type === 'error') requests.push({ ...running, refusal: text });
    client.send(text);
  });
  client.on('close', () => upstream.close());
  upstream.on('close', () => client.close());
}

const textOf = (data: RawData): string => (data as Buffer).toString();
