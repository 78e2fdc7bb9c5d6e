import { expect, test } from 'vitest';
import { runNode } from './run-program.ts';

const kept = { output: 'kept' } as const;

test('returns the output and the exit code of a program', async () => {
  const program = "console.log('out'); console.error('error'); process.exitCode = 3";
  const { code, output } = await runNode(['-e', program], kept);
  expect({ code, lines: output.split('\n').toSorted() }).toEqual({ code: 3, lines: ['', 'error', 'out'] });
});

test('returns a non-zero code for a program that was killed', async () => {
  expect(await runNode(['-e', "process.kill(process.pid, 'SIGSEGV')"], kept)).toMatchObject({ code: 139 });
});

test('ends the program on abort', async () => {
  const stop = new AbortController();
  const running = runNode(['-e', 'setInterval(() => {}, 1000)'], { ...kept, signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ code: 143 });
});

test('kills the processes a program leaves behind', async () => {
  const program = `const { spawn } = require('node:child_process');
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    left.once('spawn', () => { console.log(left.pid); process.exit(0); });`;
  const { output } = await runNode(['-e', program], kept);
  // A process that was killed exists until the system has reaped it.
  await expect.poll(() => exists(Number(output))).toBe(false);
});

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
