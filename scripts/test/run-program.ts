import { spawn } from 'node:child_process';
import { constants } from 'node:os';

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

/** Runs one of Node's programs to its end. A program that cannot be started, or is killed, ends with a code above 0. */
export function runNode(args: readonly string[], { output, environment, signal }: RunOptions): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      env: { ...process.env, ...environment },
      stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    const kept: string[] = [];
    child.stdout?.on('data', (chunk: Buffer) => kept.push(chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => kept.push(chunk.toString()));
    let force: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill('SIGTERM');
      force = setTimeout(() => child.kill('SIGKILL'), endMs);
    };
    const finish = (code: number) => {
      clearTimeout(force);
      signal?.removeEventListener('abort', end);
      resolve({ code, output: kept.join('') });
    };
    signal?.addEventListener('abort', end, { once: true });
    child.once('error', (error) => {
      kept.push(String(error));
      finish(1);
    });
    child.once('close', (code, killedBy) => finish(code ?? 128 + constants.signals[killedBy ?? 'SIGKILL']));
    if (signal?.aborted) end();
  });
}
