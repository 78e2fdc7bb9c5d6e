import { connect } from 'nats';
import type { Dispatcher } from 'undici';
import { Pool } from 'undici';
import { tellParent } from '../support/messages.ts';
import { createDepartures } from './departures.ts';
import { encodePiece } from './frame.ts';

/** The floor's back: the body from the bus to the upstream with the cheapest client there is, raw bytes back. */
const [natsUrl, upstreamUrl] = process.argv.slice(2);
const connection = await connect({ servers: natsUrl ?? '', maxReconnectAttempts: 0 });
const pool = new Pool(upstreamUrl ?? '', { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const soon = createDepartures();
const running = new Map<string, Dispatcher.DispatchController>();
const headers = { 'content-type': 'application/json' };
/** Well below the bus's own limit. */
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
    running.get(reply)?.abort(new Error('the client left'));
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
  let waiting = false;

  function wantToLeave(): void {
    if (waiting) return;
    waiting = true;
    soon(() => {
      waiting = false;
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
      wantToLeave();
    },
    onResponseEnd() {
      running.delete(reply);
      last = true;
      wantToLeave();
    },
    onResponseError() {
      running.delete(reply);
      status = 502;
      last = true;
      wantToLeave();
    },
  };
}

process.on('disconnect', () => process.exit(0));
await connection.flush();
tellParent({ kind: 'ready', port: 0 });
