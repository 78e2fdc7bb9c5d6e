import { readFileSync, readdirSync } from 'node:fs';
import type { Pids } from './cpu.ts';

/**
 * How often each process went to sleep so far, all threads. At a low rate a wake-up costs more than the work it is
 * for, and unlike CPU time the number does not depend on the machine.
 */
export function wakeUps(pids: Pids): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, wakeUpsOf(pid)]));
}

function wakeUpsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((total, thread) => total + threadWakeUps(pid, thread), 0);
}

function threadWakeUps(pid: number, thread: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
  } catch {
    // The thread ended between the two reads.
    return 0;
  }
}
