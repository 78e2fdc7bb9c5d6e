import type { Socket } from 'node:net';
import { stampedChunk, streamHead } from './answers.ts';
import { createFullSpeed } from './full-speed.ts';
import { createPacer } from './pacer.ts';

export interface StreamPlan {
  chunks: number;
  intervalMs: number;
}

export interface Running {
  socket: Socket;
  left: number;
  /** Called when the last byte was written; not when the client left. */
  onEnd: () => void;
}

export interface ActiveStream {
  abandon(): void;
}

/** Drives many streams from one source of turns: a timer per stream would be the upstream's largest cost. */
export interface StreamEngine {
  add(running: Running): ActiveStream;
}

export function createStreams(): (running: Omit<Running, 'left'>, plan: StreamPlan) => ActiveStream {
  const fullSpeed = createFullSpeed();
  const pacers = new Map<number, StreamEngine>();

  function engineFor(intervalMs: number): StreamEngine {
    if (intervalMs === 0) return fullSpeed;
    const pacer = pacers.get(intervalMs) ?? createPacer(intervalMs);
    pacers.set(intervalMs, pacer);
    return pacer;
  }

  return (running, { chunks, intervalMs }) => {
    // The first content comes at once, however slow the rest: a gateway may hold its answer back until there is some.
    running.socket.write(Buffer.concat([streamHead, stampedChunk()]));
    return engineFor(intervalMs).add({ ...running, left: chunks === 0 ? Infinity : chunks - 1 });
  };
}
