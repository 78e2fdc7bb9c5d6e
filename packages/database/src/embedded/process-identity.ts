import { readFileSync } from 'node:fs';

/** The start time of a process, in the units of Linux; empty on systems without it. */
export function startOfProcess(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may contain anything; the start time is field 22.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Whether this process still runs, and not a later one with the same id. */
export function isRunning(pid: number, started: string): boolean {
  if (!exists(pid)) return false;
  return started === '' || started === startOfProcess(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but we may not signal it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
