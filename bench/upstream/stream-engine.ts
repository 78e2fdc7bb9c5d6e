import type { Socket } from 'node:net';

export interface RunningStream {
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
  add(running: RunningStream): ActiveStream;
}
