import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'nats';
import { sendToParent } from '../support/messages.ts';
import { listeningPort } from '../support/port.ts';
import { createBatch } from './batch.ts';
import type { Piece } from './frame.ts';
import { decodePiece } from './frame.ts';

/** The front of the floor: passes HTTP bodies to the bus and the reply pieces back to the client, unchanged. */
const [natsUrl] = process.argv.slice(2);
const connection = await connect({ servers: natsUrl ?? '', maxReconnectAttempts: 0 });
const atEndOfTurn = createBatch();
const responses = new Map<string, ServerResponse>();
const inbox = `floor.reply.${process.pid}`;
let nextId = 0;

connection.subscribe(`${inbox}.*`, {
  callback(error, message) {
    if (error) throw error;
    const id = message.subject.slice(inbox.length + 1);
    const response = responses.get(id);
    if (response) relay(response, decodePiece(message.data));
  },
});

const server = createServer((request, response) => {
  const id = String(nextId++);
  responses.set(id, response);
  response.on('close', () => {
    responses.delete(id);
    if (!response.writableFinished)
      atEndOfTurn(() => connection.publish('floor.cancel', Buffer.from(`${inbox}.${id}`)));
  });
  readBody(request, (body) => atEndOfTurn(() => connection.publish('floor.work', body, { reply: `${inbox}.${id}` })));
});

function readBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => onBody(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
}

function relay(response: ServerResponse, { first, last, status, stream, bytes }: Piece): void {
  if (first) {
    const type = stream ? 'text/event-stream; charset=utf-8' : 'application/json';
    response.writeHead(
      status,
      last ? { 'content-type': type, 'content-length': bytes.length } : { 'content-type': type },
    );
  }
  if (last) response.end(bytes);
  else if (bytes.length > 0) response.write(bytes);
}

process.on('disconnect', () => process.exit(0));
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
await once(server, 'listening');
await connection.flush();
sendToParent({ kind: 'ready', port: listeningPort(server) });
