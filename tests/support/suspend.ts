import { readdir, readFile } from 'node:fs/promises';
import { waitUntil } from './probe.ts';

/**
 * Sends SIGSTOP and waits until every thread has stopped. On a busy machine the threads of a process run on for some
 * milliseconds after the signal. `resume` ends it.
 */
export async function suspend(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new TypeError('The process to suspend has no pid.');
  process.kill(pid, 'SIGSTOP');
  await waitUntil(`process ${pid} to stop`, () => isStopped(pid), { everyMs: 5 });
}

export function resume(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGCONT');
}

/** Without `/proc` the state of threads is unknown, and the signal alone must do. */
async function isStopped(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = await Promise.all(threads.map((thread) => stateOf(pid, thread)));
  return states.every((state) => state === 'T' || state === undefined);
}

/** The letter after the name in brackets; `undefined` if the thread has ended. */
async function stateOf(pid: number, thread: string): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => undefined);
  return stat?.at(stat.lastIndexOf(')') + 2);
}
