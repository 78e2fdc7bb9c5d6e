import { chunk, streamEnd } from './answers.ts';
import type { ActiveStream, RunningStream, StreamEngine } from './stream-engine.ts';

/** Chunks per write; each is still a separate HTTP chunk. */
const burst = 4;

const bursts = Array.from({ length: burst + 1 }, (_, count) =>
  Buffer.concat(Array.from({ length: count }, () => chunk)),
);

/** Writes one burst per stream and turn, round robin, as long as the sockets accept data. */
export function createFullSpeed(): StreamEngine {
  const ready = new Set<RunningStream>();
  const active = new Set<RunningStream>();
  let scheduled = false;

  function turn(): void {
    scheduled = false;
    for (const running of Array.from(ready)) writeBurst(running);
    schedule();
  }

  function schedule(): void {
    if (scheduled || ready.size === 0) return;
    scheduled = true;
    setImmediate(turn);
  }

  function writeBurst(running: RunningStream): void {
    const count = Math.min(burst, running.left);
    running.left -= count;
    const room = running.socket.write(bursts[count] ?? chunk);
    if (running.left === 0) finish(running);
    else if (!room) wait(running);
  }

  function finish(running: RunningStream): void {
    remove(running);
    running.socket.write(streamEnd);
    running.onEnd();
  }

  function wait(running: RunningStream): void {
    ready.delete(running);
    running.socket.once('drain', () => {
      if (!active.has(running)) return;
      ready.add(running);
      schedule();
    });
  }

  function remove(running: RunningStream): void {
    active.delete(running);
    ready.delete(running);
  }

  function add(running: RunningStream): ActiveStream {
    active.add(running);
    ready.add(running);
    schedule();
    return { abandon: () => remove(running) };
  }

  return { add };
}
