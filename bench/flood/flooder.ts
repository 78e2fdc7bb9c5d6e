import { connect, type Socket } from 'node:net';
import { messageOf, sendToParent } from '../support/messages.ts';
import type { Flood, FloodResult } from './flood.ts';

/** Sends chats at a fixed rate, each with a new invalid key, without waiting for the answers. */
const connections = 64;
const body = '{"model":"gpt-6-luna","messages":[{"role":"user","content":"Hello"}]}';
const floodOf = messageOf<'flood', Flood>('flood');

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  const flood = floodOf(message);
  if (flood) run(flood);
});
sendToParent({ kind: 'ready' });

function run({ port, perSecond, milliseconds, mistyped }: Flood): void {
  const statuses: Record<string, number> = {};
  const free: Socket[] = [];
  const sockets = new Set<Socket>();
  let sent = 0;

  function open(): Socket {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.add(socket);
    socket.on('data', (data) => {
      const status = data.toString('latin1', 9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      free.push(socket);
    });
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }

  const startedAt = performance.now();
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    for (const due = (elapsed * perSecond) / 1e3; sent < due; sent += 1) {
      const socket = free.pop() ?? (sockets.size < connections ? open() : undefined);
      if (!socket) break;
      socket.write(requestOf(mistyped ? `sk-tp-${sent}` : `unknown-key-${sent}`));
    }
    if (elapsed < milliseconds) return;
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    const result: FloodResult = { kind: 'flooded', perSecond: sent / (elapsed / 1e3), statuses };
    sendToParent(result);
  }, 1);
}

const requestOf = (key: string): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n` +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
