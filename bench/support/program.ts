import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Program {
  pid: number;
  stop(): Promise<void>;
}

const stopMs = 5_000;

/** Starts a Node program that is not part of the benchmark. Only its errors are shown. */
export function startProgram(args: readonly string[], environment: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`could not start ${args[0]}`);
  return {
    pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
  };
}
