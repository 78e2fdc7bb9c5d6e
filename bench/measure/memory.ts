import { readFileSync } from 'node:fs';
import type { Pids } from './cpu.ts';
import { sum } from './cpu.ts';

/** Private resident memory of each process in KiB, without the shared pages of programs and libraries. */
export function privateKib(pids: Pids): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, privateOf(pid)]));
}

interface MemoryWatch {
  /** Returns the highest sum, the last sum, and the last value of each process. */
  stop(): { peakKib: number; lastKib: number; last: Record<string, number> };
}

export function watchMemory(pids: Pids, everyMs: number): MemoryWatch {
  let last = privateKib(pids);
  let peakKib = sum(last);
  const sample = (): void => {
    try {
      last = privateKib(pids);
    } catch {
      // A process ended. The load reports that; the watch must not end the run.
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

/** Reads the counters of the kernel: walking the pages of a large process would slow it down. */
function privateOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  let total = 0;
  for (const [, kib] of status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm)) total += Number(kib);
  return total;
}
