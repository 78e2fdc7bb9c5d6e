import type { Socket } from 'node:net';

/**
 * The connections whose request is an upload that is passed on as it arrives. It may take longer than other requests: what
 * ends it is a pause, or the time that any request may run.
 */
export interface RunningUploads {
  /** The returned function must be called when the upload has ended. */
  begin(socket: Socket): () => void;
  has(socket: Socket): boolean;
}

export function createRunningUploads(): RunningUploads {
  const sockets = new Set<Socket>();
  return {
    begin(socket) {
      sockets.add(socket);
      return () => void sockets.delete(socket);
    },
    has: (socket) => sockets.has(socket),
  };
}
