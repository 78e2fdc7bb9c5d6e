import { readFileSync } from 'node:fs';
import type { Pids } from './cpu.ts';
import { sum } from './cpu.ts';

/** KiB of resident memory that each process made itself: the pages of programs and libraries, which are shared, do not count. */
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

/** From the counters the kernel keeps anyway: walking the pages of a large process would slow it down. */
function privateOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  let total = 0;
  for (const [, kib] of status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm)) total += Number(kib);
  return total;
}
