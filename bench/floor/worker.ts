import { connect } from 'nats';
import type { Dispatcher } from 'undici';
import { Pool } from 'undici';
import { sendToParent } from '../support/messages.ts';
import { createBatch } from './batch.ts';
import { encodePiece } from './frame.ts';

/** The back of the floor: passes bodies from the bus to the upstream with undici's cheapest API, and raw bytes back. */
const [natsUrl, upstreamUrl] = process.argv.slice(2);
const connection = await connect({ servers: natsUrl ?? '', maxReconnectAttempts: 0 });
const pool = new Pool(upstreamUrl ?? '', { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const atEndOfTurn = createBatch();
const running = new Map<string, Dispatcher.DispatchController>();
const headers = { 'content-type': 'application/json' };
/** Well below the message limit of NATS. */
const largestPiece = 256 * 1024;

connection.subscribe('floor.work', {
  queue: 'floor',
  callback(error, message) {
    if (error) throw error;
    const { data, reply } = message;
    pool.dispatch({ method: 'POST', path: '/v1/chat/completions', headers, body: data }, forward(reply ?? ''));
  },
});

connection.subscribe('floor.cancel', {
  callback(error, message) {
    if (error) throw error;
    const reply = Buffer.from(message.data).toString();
    running.get(reply)?.abort(new Error('the client disconnected'));
    running.delete(reply);
  },
});

function forward(reply: string): Dispatcher.DispatchHandler {
  let status = 0;
  let stream = false;
  let first = true;
  let last = false;
  let chunks: Buffer[] = [];
  let length = 0;
  let scheduled = false;

  function scheduleSend(): void {
    if (scheduled) return;
    scheduled = true;
    atEndOfTurn(() => {
      scheduled = false;
      send();
    });
  }

  function send(): void {
    connection.publish(reply, encodePiece({ first, last, status, stream }, chunks));
    first = false;
    chunks = [];
    length = 0;
  }

  return {
    onRequestStart(controller) {
      running.set(reply, controller);
    },
    onResponseStart(_controller, statusCode, responseHeaders) {
      status = statusCode;
      stream = String(responseHeaders['content-type']).startsWith('text/event-stream');
    },
    onResponseData(_controller, chunk) {
      if (length + chunk.length > largestPiece) send();
      chunks.push(chunk);
      length += chunk.length;
      scheduleSend();
    },
    onResponseEnd() {
      running.delete(reply);
      last = true;
      scheduleSend();
    },
    onResponseError() {
      running.delete(reply);
      status = 502;
      last = true;
      scheduleSend();
    },
  };
}

process.on('disconnect', () => process.exit(0));
await connection.flush();
sendToParent({ kind: 'ready', port: 0 });
