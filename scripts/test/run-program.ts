import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

interface RunOptions<Message> {
  /** `shown`: printed at once. `kept`: returned. */
  output: 'shown' | 'kept';
  environment?: Record<string, string>;
  /** Receives what the program sends with `process.send`. */
  onMessage?(message: Message): void;
  signal?: AbortSignal;
}

interface ProgramResult {
  code: number;
  output: string;
}

/** Time for a program to end after SIGTERM. */
const endMs = 10_000;
/** Time for processes that outlive their program to clean up. */
const leftoversMs = 2_000;

const shown = ['inherit', 'inherit', 'inherit'] as const;
const kept = ['ignore', 'pipe', 'pipe'] as const;

const tether = new URL('../launch/tether.mjs', import.meta.url).href;

/**
 * Runs a Node program to its end. Returns a non-zero code for a program that cannot be started or is killed. Processes
 * that the program leaves behind are ended.
 */
export async function runNode<Message = never>(
  args: readonly string[],
  options: RunOptions<Message>,
): Promise<ProgramResult> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', tether, ...args], {
    env: { ...process.env, ...options.environment },
    stdio: [...(options.output === 'shown' ? shown : kept), ...(options.onMessage ? (['ipc'] as const) : [])],
    // A separate process group identifies the processes it leaves behind.
    detached: true,
  });
  if (options.onMessage) child.on('message', options.onMessage);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const code = await exitCode(child, options.signal);
  if (child.pid !== undefined) await endGroup(child.pid);
  await Promise.race([closed, delay(leftoversMs, undefined, { ref: false })]);
  return { code, output: output.join('') };
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

/**
 * Ends the servers of interrupted tests. At SIGQUIT Postgres ends at once and cleans up; SIGKILL follows for the rest.
 */
async function endGroup(pid: number): Promise<void> {
  const deadline = performance.now() + leftoversMs;
  let running = signalGroup(pid, 'SIGQUIT');
  while (running && performance.now() < deadline) {
    await delay(20);
    running = signalGroup(pid, 0);
  }
  if (running) signalGroup(pid, 'SIGKILL');
}

/** Returns whether the group still has a process. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
