import { readFileSync } from 'node:fs';

/** Processes by what they do. */
export type Pids = Readonly<Record<string, number>>;

/** Linux reports processor time in hundredths of a second to every program, whatever the kernel ticks at. */
const ticksPerSecond = 100;

/** Seconds of processor time each process has used so far, in user and kernel mode, all its threads. */
export function cpuSeconds(pids: Pids): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, secondsOf(pid)]));
}

export function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}

/** Of nothing it is unknown, not 0: straight to the upstream there is no process whose cost would count. */
export function sum(values: Record<string, number>): number {
  const known = Object.values(values);
  return known.length === 0 ? NaN : known.reduce((total, value) => total + value, 0);
}

/** Seconds of processor time that everything on this machine has used so far, interrupts included. */
export function machineSeconds(): number {
  const [, user, nice, system, , , interrupt, softInterrupt] = readFileSync('/proc/stat', 'latin1').split(/ +/, 9);
  const used = [user, nice, system, interrupt, softInterrupt].reduce((total, ticks) => total + Number(ticks), 0);
  return used / ticksPerSecond;
}

/** Of this process itself. */
export function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function secondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in brackets and may hold spaces: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
