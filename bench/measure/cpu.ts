import { readFileSync } from 'node:fs';

/** Process ids by role. */
export type Pids = Readonly<Record<string, number>>;

/** Linux reports CPU time in hundredths of a second, independent of the kernel's tick rate. */
const ticksPerSecond = 100;

/** Seconds of CPU time of each process so far, user and kernel mode, all threads. */
export function cpuSeconds(pids: Pids): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, secondsOf(pid)]));
}

export function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}

/** The sum; NaN, not 0, for no values: the direct system has no process of its own to measure. */
export function sum(values: Record<string, number>): number {
  const known = Object.values(values);
  return known.length === 0 ? NaN : known.reduce((total, value) => total + value, 0);
}

/** Seconds of CPU time of the whole machine so far, including interrupts. */
export function machineSeconds(): number {
  const [, user, nice, system, , , interrupt, softInterrupt] = readFileSync('/proc/stat', 'latin1').split(/ +/, 9);
  const used = [user, nice, system, interrupt, softInterrupt].reduce((total, ticks) => total + Number(ticks), 0);
  return used / ticksPerSecond;
}

/** Seconds of CPU time of this process so far. */
export function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function secondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in brackets and may contain spaces: start after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
