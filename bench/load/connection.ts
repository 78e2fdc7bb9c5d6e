import { connect } from 'node:net';
import type { OnReadOpts } from 'node:net';
import { microseconds } from '../measure/clock.ts';
import type { Target } from './plan.ts';
import type { Recorder } from './recorder.ts';
import { createResponseParser } from './response-parser.ts';
import { createStampReader } from './stamps.ts';

interface ConnectionOptions {
  target: Target;
  recorder: Recorder;
  /** Called when the answer is complete; the connection can then send again. */
  onAnswer: () => void;
  /** Called when the connection is closed, by us or by the server. */
  onClose: () => void;
  /** The read buffer, shared by all connections of a generator. */
  shared: Buffer;
  /** Called when the first stamped chunk of an answer was read. */
  onFirstChunk?: () => void;
}

export const readBytes = 64 * 1024;

export interface Connection {
  send(): void;
  close(): void;
}

/** One client: a socket that repeats the same request and records the times of the answers. */
export function openConnection(options: ConnectionOptions): Connection {
  const { target, recorder, shared } = options;
  const request = Buffer.from(target.request);
  const answer = createAnswerReader(options);
  const socket = connect({
    host: target.host,
    port: target.port,
    noDelay: true,
    onread: readInto(shared, answer.read),
  });
  let closed = false;
  socket.on('error', (error) => closed || recorder.failed(error.message));
  socket.on('close', () => {
    if (answer.waiting() && !closed) recorder.failed('the server closed the connection before the end of its answer');
    options.onClose();
  });
  return {
    send() {
      answer.begin();
      socket.write(request);
    },
    close() {
      closed = true;
      socket.destroy();
    },
  };
}

/**
 * All sockets share one read buffer: its bytes are parsed before the next read. Allocating a buffer per read costs more
 * than the read.
 */
function readInto(buffer: Buffer, read: (bytes: Buffer) => void): OnReadOpts {
  return {
    buffer,
    callback(length) {
      read(buffer.subarray(0, length));
      return true;
    },
  };
}

interface AnswerReader {
  begin(): void;
  read(bytes: Buffer): void;
  waiting(): boolean;
}

function createAnswerReader({ recorder, onAnswer, onFirstChunk }: ConnectionOptions): AnswerReader {
  let sentAt = 0;
  let status = 0;
  let sawBody = false;
  let waiting = false;
  let stamps: number[] = [];
  let refusal = '';
  let readStamps = createStampReader(onStamp);

  function onStamp(stamp: number): void {
    recorder.chunk(stamp === 0 ? 0 : (microseconds() - stamp) / 1e3);
    if (stamps.length === 0) onFirstChunk?.();
    if (stamps.length < 2) stamps.push(stamp);
  }

  const parse = createResponseParser({
    head(code) {
      status = code;
    },
    body(bytes) {
      if (!sawBody) recorder.firstByte((microseconds() - sentAt) / 1e3);
      sawBody = true;
      recorder.received(bytes.length);
      if (status === 200) readStamps(bytes);
      else if (refusal.length < 500) refusal += bytes.toString();
    },
    end() {
      waiting = false;
      if (status === 200) recorder.answered(times());
      else recorder.failed(`${status} ${refusal}`);
      onAnswer();
    },
  });

  function times(): { latencyMs: number; outsideMs: number } {
    const latencyMs = (microseconds() - sentAt) / 1e3;
    const [received = 0, sent = 0] = stamps;
    return { latencyMs, outsideMs: latencyMs - Math.max(0, sent - received) / 1e3 };
  }

  return {
    begin() {
      sentAt = microseconds();
      status = 0;
      sawBody = false;
      waiting = true;
      stamps = [];
      refusal = '';
      readStamps = createStampReader(onStamp);
    },
    read: parse,
    waiting: () => waiting,
  };
}
