import type { Socket } from 'node:net';

export interface RunningStream {
  socket: Socket;
  left: number;
  /** Called when the last byte was written; not called if the client disconnected. */
  onEnd: () => void;
}

export interface ActiveStream {
  abandon(): void;
}

/** Drives many streams by one timer: a timer per stream would be the upstream's largest cost. */
export interface StreamEngine {
  add(running: RunningStream): ActiveStream;
}
