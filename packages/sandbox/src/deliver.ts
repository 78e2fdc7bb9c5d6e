import type { ServerResponse } from 'node:http';
import type { ProviderAnswer, Reply } from './answer.ts';
import type { Pacer } from './pacer.ts';
import type { Received } from './recorder.ts';

interface Delivery {
  readonly response: ServerResponse;
  readonly received: Received;
  readonly pacer: Pacer;
  /** Called right before the server ends the connection, so that the client is not recorded as having disconnected. */
  readonly breakOff: () => void;
}

/** Writes an answer and stops when the client disconnects. `received` records the progress. */
export function deliver(answer: ProviderAnswer, delivery: Delivery): void {
  switch (answer.kind) {
    case 'hang':
      return;
    case 'reset':
      delivery.breakOff();
      delivery.response.socket?.resetAndDestroy();
      return;
    case 'reply':
      deliverLater(answer, delivery);
      return;
    default:
      answer satisfies never;
  }
}

function deliverLater(reply: Reply, delivery: Delivery): void {
  if (reply.delayMs === 0) return begin(reply, delivery);
  const { pacer, response } = delivery;
  const step = () => {
    begin(reply, delivery);
    return false;
  };
  response.once('close', pacer.every({ afterMs: reply.delayMs, everyMs: 0, step }));
}

function begin(reply: Reply, delivery: Delivery): void {
  const { response, received } = delivery;
  received.status = reply.status;
  const headers = { ...reply.headers, 'x-request-id': received.id };
  const only = reply.pieces.length === 1 && isPlain(reply) ? reply.pieces[0] : undefined;
  const content = { all: reply.pieces.filter(({ part }) => part === 'delta').length, sent: 0 };
  received.contentPieces = content;
  if (only !== undefined) {
    content.sent = content.all;
    response.writeHead(reply.status, { ...headers, 'content-length': only.bytes.length });
    received.bodyBytesSent += only.bytes.length;
    response.end(only.bytes);
    return;
  }
  response.writeHead(reply.status, headers);
  response.flushHeaders();
  send(reply, delivery);
}

const isPlain = ({ stream, pace, ending, loop }: Reply) =>
  !stream && pace.kind === 'burst' && ending === 'end' && loop === undefined;

function send(reply: Reply, delivery: Delivery): void {
  const writer = createWriter(reply, delivery);
  const { response, pacer } = delivery;
  switch (reply.pace.kind) {
    case 'burst':
      return sendInTurns(() => writer.write(burstBytes), response);
    case 'turns':
      return sendInTurns(() => writer.write(1), response);
    case 'timed': {
      // If the client reads too slowly, skip a step instead of buffering.
      const step = () => (response.writableNeedDrain ? true : writer.write(1));
      if (step())
        response.once('close', pacer.every({ afterMs: reply.pace.everyMs, everyMs: reply.pace.everyMs, step }));
      return;
    }
    default:
      reply.pace satisfies never;
  }
}

const burstBytes = 32 * 1024;

/** One write per event-loop turn, so that an endless answer to a fast client does not starve other requests. */
function sendInTurns(write: () => boolean, response: ServerResponse): void {
  const turn = () => {
    if (response.destroyed || !write()) return;
    if (response.writableNeedDrain) response.once('drain', () => setImmediate(turn));
    else setImmediate(turn);
  };
  turn();
}

/**
 * Writes the pieces, then repeats the loop. `write` sends at least `atLeast` bytes in one write and returns false after
 * the last piece.
 */
function createWriter(reply: Reply, { response, received, breakOff }: Delivery) {
  const { pieces, loop = [] } = reply;
  let next = 0;
  const pieceAt = (index: number) => pieces[index] ?? loop[(index - pieces.length) % loop.length];

  function gather(atLeast: number): Buffer {
    const parts: Buffer[] = [];
    let size = 0;
    for (let part = pieceAt(next); part !== undefined && size < atLeast; part = pieceAt(next)) {
      parts.push(part.bytes);
      if (part.part === 'delta' && received.contentPieces !== undefined) received.contentPieces.sent += 1;
      size += part.bytes.length;
      next += 1;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  function finish(): void {
    if (reply.ending === 'end') {
      response.end();
      return;
    }
    breakOff();
    response.socket?.destroySoon();
  }

  return {
    write: (atLeast: number): boolean => {
      const bytes = gather(atLeast);
      received.bodyBytesSent += bytes.length;
      if (bytes.length > 0) response.write(bytes);
      if (pieceAt(next) !== undefined) return true;
      finish();
      return false;
    },
  };
}
