import { writeSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Pauses between looks, doubled each time. Together they are longer than most round trips. */
const firstPauseMs = 1;
const mostWaitMs = 255;

/**
 * A server that closes a connection before it has read a request resets it when the request arrives; one that has read
 * the request does not. After an end the system reports a reset only to the next write, and an empty one sends nothing.
 * Destroys the socket with the error of this write, or with `end` if no reset has arrived in time.
 */
export function awaitReset(socket: Socket, end: Error): void {
  const look = (waitedMs: number): void => {
    if (socket.destroyed) return;
    const reset = writeNothing(socket);
    if (reset !== undefined || waitedMs >= mostWaitMs) {
      socket.destroy(reset ?? end);
      return;
    }
    const pauseMs = waitedMs + firstPauseMs;
    setTimeout(look, pauseMs, waitedMs + pauseMs);
  };
  look(0);
}

/** Not by way of the socket: with TLS an empty write would end there, and any other would be sent. */
function writeNothing(socket: Socket): Error | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof descriptor !== 'number' || descriptor < 0) return undefined;
  try {
    writeSync(descriptor, Buffer.alloc(0));
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : undefined;
  }
}
