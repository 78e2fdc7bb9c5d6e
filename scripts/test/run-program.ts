import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

export interface RunOptions {
  /** Shown as it comes, or kept and returned. */
  output: 'shown' | 'kept';
  environment?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Ended {
  code: number;
  output: string;
}

/** After being asked to end: how long a program may take. */
const endMs = 10_000;
/** What outlives its program: how long it may take to clean up. */
const leftoversMs = 2_000;

const tether = new URL('../launch/tether.mjs', import.meta.url).href;

/**
 * Runs one of Node's programs to its end. A program that cannot be started, or is killed, ends with a code above 0; what it
 * started and left behind ends with it.
 */
export async function runNode(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', tether, ...args], {
    env: { ...process.env, ...options.environment },
    stdio: options.output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it leaves behind can be found by it.
    detached: true,
  });
  const kept: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => kept.push(chunk.toString()));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const code = await exitCode(child, options.signal);
  if (child.pid !== undefined) await endGroup(child.pid);
  await Promise.race([closed, delay(leftoversMs, undefined, { ref: false })]);
  return { code, output: kept.join('') };
}

function exitCode(child: ChildProcess, signal: AbortSignal | undefined): Promise<number> {
  return new Promise((resolve) => {
    let force: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill('SIGTERM');
      force = setTimeout(() => child.kill('SIGKILL'), endMs);
    };
    const finish = (code: number) => {
      clearTimeout(force);
      signal?.removeEventListener('abort', end);
      resolve(code);
    };
    signal?.addEventListener('abort', end, { once: true });
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      finish(1);
    });
    child.once('exit', (code, killedBy) => finish(code ?? 128 + constants.signals[killedBy ?? 'SIGKILL']));
    if (signal?.aborted) end();
  });
}

/** Servers of interrupted tests: at SIGQUIT Postgres ends at once and cleans up; SIGKILL follows for all. */
async function endGroup(pid: number): Promise<void> {
  const deadline = performance.now() + leftoversMs;
  let left = signalGroup(pid, 'SIGQUIT');
  while (left && performance.now() < deadline) {
    await delay(20);
    left = signalGroup(pid, 0);
  }
  if (left) signalGroup(pid, 'SIGKILL');
}

/** Whether anybody is left in the group. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
