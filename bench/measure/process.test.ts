import { expect, test } from 'vitest';
import { cpuSeconds, difference, machineSeconds, ownSeconds, sum } from './cpu.ts';
import { privateKib, watchMemory } from './memory.ts';

const own = { test: process.pid };

test.runIf(process.platform === 'linux')('a process that works is seen to use its processor time', () => {
  const [before, machineBefore] = [cpuSeconds(own), machineSeconds()];
  const [began, deadline] = [ownSeconds(), performance.now() + 10_000];
  while (ownSeconds() - began < 0.1 && performance.now() < deadline);
  const used = sum(difference(before, cpuSeconds(own)));
  expect(used).toBeGreaterThanOrEqual(0.08);
  expect(machineSeconds() - machineBefore).toBeGreaterThan(0.05);
});

test.runIf(process.platform === 'linux')('memory that is written to is counted, at its peak and at the end', () => {
  const before = sum(privateKib(own));
  const watch = watchMemory(own, 60_000);
  const held = Buffer.alloc(32 * 1024 * 1024, 1);
  expect(sum(privateKib(own)) - before).toBeGreaterThan(24 * 1024);
  expect(watch.stop().peakKib).toBeGreaterThanOrEqual(before);
  expect(held.length).toBe(32 * 1024 * 1024);
});

test('what no process costs is unknown rather than nothing', () => {
  expect(sum({})).toBeNaN();
});
