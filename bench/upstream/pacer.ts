import { stampedChunk, streamEnd } from './answers.ts';
import type { ActiveStream, Running, StreamEngine } from './streams.ts';

/** One timer for all streams of an interval, spread evenly over its milliseconds; it catches up after a late tick. */
export function createPacer(intervalMs: number): StreamEngine {
  const slots = Array.from({ length: intervalMs }, () => new Set<Running>());
  let nextSlot = 0;
  let active = 0;
  let tickedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    const time = Math.floor(performance.now());
    const due = Math.min(time - tickedAt, intervalMs);
    for (let late = due - 1; late >= 0; late--) {
      const slot = slots[(time - late) % intervalMs];
      if (slot) for (const running of slot) writeOne(running, slot);
    }
    tickedAt = time;
  }

  function writeOne(running: Running, slot: Set<Running>): void {
    // A reader this far behind is not late but gone; its chunks would only fill our memory.
    if (running.socket.writableNeedDrain) return;
    running.socket.write(stampedChunk());
    running.left--;
    if (running.left > 0) return;
    remove(running, slot);
    running.socket.write(streamEnd);
    running.onEnd();
  }

  function remove(running: Running, slot: Set<Running>): void {
    if (slot.delete(running) && --active === 0) clearInterval(timer);
  }

  function add(running: Running): ActiveStream {
    if (active++ === 0) {
      tickedAt = Math.floor(performance.now());
      timer = setInterval(tick, 1);
    }
    // A step coprime to the intervals in use fills the slots evenly, however many streams there are.
    nextSlot = (nextSlot + 7) % intervalMs;
    const slot = slots[nextSlot]!;
    slot.add(running);
    return { abandon: () => remove(running, slot) };
  }

  return { add };
}
