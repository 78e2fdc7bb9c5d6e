import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type TLSSocket } from 'node:tls';
import { messageOf, sendToParent } from '../support/messages.ts';
import { listeningPort } from '../support/port.ts';
import { createRequestReader } from '../upstream/request-reader.ts';
import { delay } from './delay.ts';
import type { VendorOrder, VendorReport } from './vendor.ts';

const report: VendorReport = { kind: 'report', connections: 0, resumed: 0, closed: 0, requests: 0, readAgain: 0 };
const read = new Set<string>();

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  const order = messageOf<'open', VendorOrder>('open')(message);
  if (order === undefined) sendToParent(report);
  else void open(order);
});
sendToParent({ kind: 'ready' });

async function open(order: VendorOrder): Promise<void> {
  const files = { cert: readFileSync(order.certificate), key: readFileSync(order.key) };
  const server = createServer({ ...files, noDelay: true }, (socket) => serve(socket, order));
  server.on('tlsClientError', () => undefined);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  const port = await delay(listeningPort(server), order.roundTripMs);
  sendToParent({ kind: 'opened', port });
}

function serve(socket: TLSSocket, { idleMs, closes, announces, workMs }: VendorOrder): void {
  report.connections += 1;
  if (socket.isSessionReused()) report.resumed += 1;
  const announced = announces ? `keep-alive: timeout=${Math.floor(idleMs / 1_000)}\r\n` : '';
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${announced}content-length: 2\r\n\r\n{}`;
  let closing: NodeJS.Timeout | undefined;
  const closeLater = (): void => {
    closing = setTimeout(close, closes === 'after' ? idleMs : Math.random() * idleMs);
  };
  const close = (): void => {
    report.closed += 1;
    socket.destroy();
  };
  const readRequest = createRequestReader(() => {
    report.requests += 1;
    setTimeout(() => {
      socket.write(answer);
      closeLater();
    }, workMs);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => clearTimeout(closing));
  socket.on('data', (bytes: Buffer) => {
    clearTimeout(closing);
    note(/POST \/(\S+)/.exec(bytes.toString('latin1'))?.[1]);
    readRequest(bytes);
  });
}

function note(request: string | undefined): void {
  if (request === undefined) return;
  if (read.has(request)) report.readAgain += 1;
  read.add(request);
}
