import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { cpuSeconds, difference, machineSeconds, ownSeconds, sum } from './cpu.ts';
import { privateKib, watchMemory } from './memory.ts';

const own = { test: process.pid };

test.runIf(process.platform === 'linux')('measures the CPU time of a busy process', () => {
  const [before, machineBefore] = [cpuSeconds(own), machineSeconds()];
  const [began, deadline] = [ownSeconds(), performance.now() + 10_000];
  while (ownSeconds() - began < 0.1 && performance.now() < deadline);
  const used = sum(difference(before, cpuSeconds(own)));
  expect(used).toBeGreaterThanOrEqual(0.08);
  expect(machineSeconds() - machineBefore).toBeGreaterThan(0.05);
});

/** Allocates 32 MiB on request. A separate process, because this one may still hold freed memory of earlier tests. */
const holder = `
  process.stdin.once('data', () => {
    globalThis.held = Buffer.alloc(32 * 1024 * 1024, 1);
    console.log('held');
  });
  console.log('ready');
`;

test.runIf(process.platform === 'linux')('measures allocated memory, at its peak and at the end', async () => {
  const child = spawn(process.execPath, ['-e', holder], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    const pids = { child: child.pid ?? 0 };
    const before = sum(privateKib(pids));
    const watch = watchMemory(pids, 60_000);
    child.stdin.write('hold');
    await once(child.stdout, 'data');
    expect(sum(privateKib(pids)) - before).toBeGreaterThan(24 * 1024);
    expect(watch.stop().peakKib).toBeGreaterThanOrEqual(before);
  } finally {
    child.kill('SIGKILL');
  }
});

test('the sum of no processes is NaN, not 0', () => {
  expect(sum({})).toBeNaN();
});
