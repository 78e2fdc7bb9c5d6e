import { chunk, streamEnd } from './answers.ts';
import type { ActiveStream, Running, StreamEngine } from './streams.ts';

/** Chunks that leave in one write, each still an HTTP chunk of its own. */
const burst = 4;

const bursts = Array.from({ length: burst + 1 }, (_, count) =>
  Buffer.concat(Array.from({ length: count }, () => chunk)),
);

/** Round robin, a burst per stream and turn, for as long as the sockets take them. */
export function createFullSpeed(): StreamEngine {
  const ready = new Set<Running>();
  const active = new Set<Running>();
  let scheduled = false;

  function turn(): void {
    scheduled = false;
    for (const running of [...ready]) writeBurst(running);
    schedule();
  }

  function schedule(): void {
    if (scheduled || ready.size === 0) return;
    scheduled = true;
    setImmediate(turn);
  }

  function writeBurst(running: Running): void {
    const count = Math.min(burst, running.left);
    running.left -= count;
    const room = running.socket.write(bursts[count] ?? chunk);
    if (running.left === 0) finish(running);
    else if (!room) wait(running);
  }

  function finish(running: Running): void {
    remove(running);
    running.socket.write(streamEnd);
    running.onEnd();
  }

  function wait(running: Running): void {
    ready.delete(running);
    running.socket.once('drain', () => {
      if (!active.has(running)) return;
      ready.add(running);
      schedule();
    });
  }

  function remove(running: Running): void {
    active.delete(running);
    ready.delete(running);
  }

  function add(running: Running): ActiveStream {
    active.add(running);
    ready.add(running);
    schedule();
    return { abandon: () => remove(running) };
  }

  return { add };
}
