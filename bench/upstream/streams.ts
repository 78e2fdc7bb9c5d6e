import { stampedChunk, streamHead } from './answers.ts';
import { createFullSpeed } from './full-speed.ts';
import { createPacer } from './pacer.ts';
import type { ActiveStream, RunningStream, StreamEngine } from './stream-engine.ts';

interface StreamPlan {
  chunks: number;
  intervalMs: number;
}

export function createStreams(): (running: Omit<RunningStream, 'left'>, plan: StreamPlan) => ActiveStream {
  const fullSpeed = createFullSpeed();
  const pacers = new Map<number, StreamEngine>();

  function engineFor(intervalMs: number): StreamEngine {
    if (intervalMs === 0) return fullSpeed;
    const pacer = pacers.get(intervalMs) ?? createPacer(intervalMs);
    pacers.set(intervalMs, pacer);
    return pacer;
  }

  return (running, { chunks, intervalMs }) => {
    // Send the first content at once, because a gateway may hold back its answer until it has content.
    running.socket.write(Buffer.concat([streamHead, stampedChunk()]));
    return engineFor(intervalMs).add({ ...running, left: chunks === 0 ? Infinity : chunks - 1 });
  };
}
