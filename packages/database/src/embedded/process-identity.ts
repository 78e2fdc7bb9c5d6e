import { readFileSync } from 'node:fs';

/** When the process started, as Linux counts it; empty where that cannot be asked. */
export function startOfProcess(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; the start time is field 22.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Whether that very process still runs, and not a later one that was given its id. */
export function isRunning(pid: number, started: string): boolean {
  if (!exists(pid)) return false;
  return started === '' || started === startOfProcess(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but not ours to signal.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
