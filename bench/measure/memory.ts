import { readFileSync } from 'node:fs';
import type { Pids } from './cpu.ts';
import { sum } from './cpu.ts';

/** KiB that belong to each process alone: the program's own pages, which processes share, are not counted. */
export function privateKib(pids: Pids): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, privateOf(pid)]));
}

export interface MemoryWatch {
  /** The highest sum seen, and the last, with what each process held then. */
  stop(): { peakKib: number; lastKib: number; last: Record<string, number> };
}

export function watchMemory(pids: Pids, everyMs: number): MemoryWatch {
  let last = privateKib(pids);
  let peakKib = sum(last);
  const sample = (): void => {
    try {
      last = privateKib(pids);
    } catch {
      // A process ended. Whoever measures notices by other means; a watch must not end the run.
      return;
    }
    peakKib = Math.max(peakKib, sum(last));
  };
  const timer = setInterval(sample, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return { peakKib, lastKib: sum(last), last };
    },
  };
}

function privateOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  let total = 0;
  for (const [, kib] of rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)) total += Number(kib);
  return total;
}
