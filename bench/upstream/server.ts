import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { microseconds } from '../measure/clock.ts';
import { imageAnswer, largeAnswer, smallAnswer, stampedAnswer } from './answers.ts';
import type { UpstreamMode, UpstreamReport } from './mode.ts';
import { createRequestReader } from './request-reader.ts';
import type { ActiveStream } from './stream-engine.ts';
import { createStreams } from './streams.ts';

interface Upstream {
  server: Server;
  setMode(mode: UpstreamMode): void;
  report(): UpstreamReport;
}

/** A vendor's server at minimal cost: prepared bytes on sockets without an HTTP layer. */
export function createUpstream(): Upstream {
  const beginStream = createStreams();
  const open = new Map<Socket, ActiveStream>();
  let mode: UpstreamMode = { kind: 'answer', delayMs: 0 };
  let large: Buffer = Buffer.alloc(0);
  let requests = 0;
  let leftAt: number[] = [];

  function onRequest(socket: Socket): void {
    requests++;
    if (mode.kind === 'large' || mode.kind === 'image') return void socket.write(large);
    if (mode.kind === 'answer') return answer(socket, mode.delayMs);
    open.set(socket, beginStream({ socket, onEnd: () => void open.delete(socket) }, mode));
  }

  function onClose(socket: Socket): void {
    const stream = open.get(socket);
    if (!stream) return;
    open.delete(socket);
    stream.abandon();
    leftAt.push(microseconds());
  }

  const server = createServer({ noDelay: true }, (socket) => {
    socket.on(
      'data',
      createRequestReader(() => onRequest(socket)),
    );
    socket.on('error', () => socket.destroy());
    socket.on('close', () => onClose(socket));
  });

  return {
    server,
    setMode(next) {
      mode = next;
      requests = 0;
      leftAt = [];
      if (next.kind === 'large') large = largeAnswer(next.bytes);
      if (next.kind === 'image') large = imageAnswer(next.bytes);
    },
    report: () => ({ kind: 'report', requests, open: open.size, leftAt }),
  };
}

function answer(socket: Socket, delayMs: number): void {
  if (delayMs === 0) return void socket.write(smallAnswer);
  const received = microseconds();
  setTimeout(() => socket.write(stampedAnswer(received)), delayMs);
}
