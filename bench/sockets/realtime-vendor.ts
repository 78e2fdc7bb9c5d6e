import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { everyMs, stampedFrame } from './realtime-frames.ts';

// A vendor of realtime sessions in a process of its own: takes audio, and sends as much, each message with the time it was sent.

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket: WebSocket) => {
  socket.send(JSON.stringify({ type: 'session.created', session: {} }));
  const timer = setInterval(() => socket.send(stampedFrame('response.output_audio.delta', 'delta')), everyMs);
  socket.on('error', () => undefined);
  socket.on('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
