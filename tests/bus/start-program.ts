import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Starts a program of this folder and waits for its first line. It is killed at the end of the test. */
export async function startProgram(
  program: 'recorder' | 'replica' | 'requester',
  ...args: string[]
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [`tests/bus/${program}.ts`, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
