import { stampedChunk, streamEnd } from './answers.ts';
import type { ActiveStream, RunningStream, StreamEngine } from './stream-engine.ts';
import { createTicker } from './ticker.ts';

/** Time between the writes of two streams: real vendors are not synchronised. */
const slotMs = 0.2;
const mostSlots = 5_000;

/** Drives all streams of one interval by one clock, spread evenly over the interval. Catches up after a late turn. */
export function createPacer(intervalMs: number): StreamEngine {
  const slotCount = Math.min(mostSlots, Math.round(intervalMs / slotMs));
  const slotWidth = intervalMs / slotCount;
  const slots = Array.from({ length: slotCount }, () => new Set<RunningStream>());
  const ticker = createTicker(slotWidth, turn);
  let nextSlot = 0;
  let active = 0;
  let lastSlot = 0;

  function turn(): void {
    const current = Math.floor(performance.now() / slotWidth);
    for (let slot = Math.max(lastSlot, current - slotCount) + 1; slot <= current; slot++) {
      const due = slots[slot % slotCount]!;
      for (const running of due) writeOne(running, due);
    }
    lastSlot = current;
  }

  function writeOne(running: RunningStream, slot: Set<RunningStream>): void {
    // Skip a reader this far behind: its chunks would only fill our memory.
    if (running.socket.writableNeedDrain) return;
    running.socket.write(stampedChunk());
    running.left--;
    if (running.left > 0) return;
    remove(running, slot);
    running.socket.write(streamEnd);
    running.onEnd();
  }

  function remove(running: RunningStream, slot: Set<RunningStream>): void {
    if (slot.delete(running) && --active === 0) ticker.stop();
  }

  function add(running: RunningStream): ActiveStream {
    if (active++ === 0) {
      lastSlot = Math.floor(performance.now() / slotWidth);
      ticker.start();
    }
    // A step coprime to the number of slots fills them evenly for any number of streams.
    nextSlot = (nextSlot + 37) % slotCount;
    const slot = slots[nextSlot]!;
    slot.add(running);
    return { abandon: () => remove(running, slot) };
  }

  return { add };
}
